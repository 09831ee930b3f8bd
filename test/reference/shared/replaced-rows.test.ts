import { cpSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { Folder } from "../../../platform/reference/sql/folder";
import { Generation } from "../../../platform/reference/sql/generation";
import { rowsMissing } from "../../../platform/reference/sql/messages";
import { Pool } from "../../../platform/reference/sql/pool/pool";
import { StoreFailure } from "../../../platform/reference/store/failure";
import { cannotOpen } from "../../../platform/reference/store/messages";
import { engine, execute as executeOnData } from "../data";
import { fewFiles } from "../disks";
import { freshOptions, newFolder, shop, started } from "../snapshot-world";
import { column, execute } from "../sql/sql";

afterEach(() => void vi.restoreAllMocks());

/** Starts a server whose snapshot `saved` has other records and other rows than the server. */
async function savedAndChanged() {
  const options = { sqlFolder: undefined, ...(await freshOptions()) };
  const api = await started(options);
  const { owner, slug, database } = shop(api);
  const orders = await database("orders");
  await execute(orders, "create table t as select 'saved' as x");
  await api.save("saved");
  await execute(orders, "update t set x = 'later'");
  await owner.ok("createGroup", { ...slug, body: { name: "later", location: "aws-us-east-1" } });
  const rows = options.sqlFolder ?? `${options.data}-sql`;
  return { options, api, orders, rows };
}

type Server = Awaited<ReturnType<typeof started>>;

/** The names of the groups, and of each database its name and rows. */
async function stateOf(api: Server): Promise<unknown> {
  const { owner, slug, place, token } = shop(api);
  const { groups } = await owner.ok("listGroups", slug);
  const { databases } = await owner.ok("listDatabases", slug);
  const rows: unknown[] = [];
  for (const { DbId, Name } of databases)
    rows.push(Name, await column(place(DbId, await token(Name)), "select x from t"));
  return [groups.map(({ name }) => name).sort(), ...rows];
}

const SAVED = [["default"], "orders", ["saved"]];
const LATER = [["default", "later"], "orders", ["later"]];
const RESET = [["default"]];

const FAIL = {
  file: [
    "create table parents (id integer primary key)",
    "create table children (parent integer references parents deferrable initially deferred)",
    ...["insert", "update"].map(
      (change) =>
        `create trigger ${change}_fails after ${change} on settings when new.name = 'rows'
          begin insert into children values (1); end`,
    ),
  ],
  postgres: [
    "create function fail() returns trigger language plpgsql as $$ begin raise exception 'interrupted'; end $$",
    `create constraint trigger fails after insert or update on settings deferrable initially deferred
      for each row when (new.name = 'rows') execute function fail()`,
  ],
  memory: [],
};

const SUCCEED = {
  file: ["drop trigger insert_fails", "drop trigger update_fails"],
  postgres: ["drop trigger fails on settings"],
  memory: [],
};

const run = (place: string, statements: readonly string[]) =>
  executeOnData({ place, contents: async () => [], remove: async () => undefined }, ...statements);

test("a load or reset whose commit fails changes neither records nor rows, now and after a restart", async () => {
  const { options, api, orders, rows } = await savedAndChanged();
  await run(options.data, FAIL[engine]);
  for (const replace of [() => api.load("saved"), () => api.reset()]) {
    await expect(replace()).rejects.toThrow(/FOREIGN KEY|interrupted/);
    expect(await stateOf(api)).toEqual(LATER);
  }
  await execute(orders, "insert into t values ('after')");
  await api.close();
  const again = await started(options);
  expect(await stateOf(again)).toEqual([LATER[0], "orders", ["later", "after"]]);
  expect(readdirSync(join(rows, "rows"))).toEqual(["first"]);

  await run(options.data, SUCCEED[engine]);
  await again.load("saved");
  expect(await stateOf(again)).toEqual(SAVED);
  await again.reset();
  expect(await stateOf(again)).toEqual(RESET);
});

test.runIf(fewFiles)("a load or reset on a full disk says so, changes nothing and leaves no files", async () => {
  const options = { sqlFolder: undefined, ...(await freshOptions()) };
  const folder = options.sqlFolder ?? `${options.data}-sql`;
  const disk = fewFiles?.(folder);
  onTestFinished(() => void disk?.remove());
  const api = await started(options);
  onTestFinished(() => api.close());
  const { database } = shop(api);
  const orders = await database("orders");
  await execute(orders, "create table t as select 'saved' as x");
  await api.save("saved");
  await execute(orders, "update t set x = 'later'");
  disk?.fill();
  for (const replace of [() => api.load("saved"), () => api.reset()]) {
    await expect(replace()).rejects.toThrow(new StoreFailure("full", undefined).message);
    expect(readdirSync(join(folder, "rows"))).toEqual(["first"]);
  }
  disk?.free();
  expect(await stateOf(api)).toEqual([["default"], "orders", ["later"]]);
  await api.reset();
  expect(await stateOf(api)).toEqual(RESET);
});

/** Copies the files at each step of a load or reset, as a kill in this moment would leave them. */
function copyAtEachStep(api: Server, from: string, to: string) {
  const copies: { readonly step: string; readonly path: string; readonly isCommitted: boolean }[] = [];
  let isCommitted = false;
  const copy = (step: string) => {
    const path = join(to, `${copies.length}`);
    cpSync(from, path, { recursive: true });
    copies.push({ step, path, isCommitted });
  };
  const around = <T extends object>(subject: T, method: keyof T & string) => {
    const original = subject[method] as (...given: unknown[]) => unknown;
    vi.spyOn(subject as Record<string, (...given: unknown[]) => unknown>, method).mockImplementation(function (
      this: unknown,
      ...given
    ) {
      if (method === "use") isCommitted = true;
      copy(`before ${method}`);
      const done = original.apply(this, given);
      const end = () => copy(`after ${method}`);
      if (done instanceof Promise) return done.finally(end);
      end();
      return done;
    });
  };
  around(Generation.prototype, "create");
  around(Generation.prototype, "reachDisk");
  around(Folder.prototype, "use");
  around(Pool.prototype, "discard");
  around(Folder.prototype, "drop");
  const { transaction } = api.store;
  vi.spyOn(api.store, "transaction").mockImplementation((organizations, work) =>
    transaction(organizations, async (state) => {
      copy("begin of a transaction");
      const done = await work(state);
      copy("end of a transaction");
      return done;
    }),
  );
  return copies;
}

test.each(["load", "reset"] as const)("a kill at any step of a %s leaves a whole state", async (action) => {
  for (const isFailing of [true, false]) {
    const { options, api, rows } = await savedAndChanged();
    if (isFailing) await run(options.data, FAIL[engine]);
    const folder = await newFolder();
    const copies = copyAtEachStep(api, engine === "file" ? dirname(options.data) : rows, folder);
    const replaced = action === "load" ? api.load("saved") : api.reset();
    await replaced.then(
      () => expect(isFailing).toBe(false),
      () => expect(isFailing).toBe(true),
    );
    await api.close();
    vi.restoreAllMocks();
    expect(copies.map(({ step }) => step)).toEqual(
      expect.arrayContaining([
        "after create",
        "after reachDisk",
        "end of a transaction",
        "after discard",
        "after drop",
      ]),
    );
    for (const { step, path, isCommitted } of copies) {
      // The records in PostgreSQL are those after the end.
      if (engine === "postgres" && !isFailing && !isCommitted) continue;
      const place = engine === "file" ? { data: join(path, "platform.db") } : { sqlFolder: path };
      const { sqlFolder, ...others } = options;
      const restarted = await started({ ...others, ...place });
      const after = action === "load" ? SAVED : RESET;
      expect(await stateOf(restarted), `${step}, failing: ${isFailing}`).toEqual(isCommitted ? after : LATER);
      await restarted.close();
      const left = readdirSync(engine === "file" ? join(path, "platform.db-sql") : path);
      expect(left.filter((name) => name.startsWith("loading-"))).toEqual([]);
      expect(readdirSync(join(path, engine === "file" ? "platform.db-sql" : "", "rows"))).toHaveLength(1);
    }
  }
});

test("data whose rows are missing is refused, names them and those that are there, and removes nothing", async () => {
  const { options, api, rows } = await savedAndChanged();
  await api.close();
  const backup = await newFolder();
  cpSync(rows, join(backup, "rows"), { recursive: true });
  const later = await started(options);
  await later.load("saved");
  const [named = ""] = readdirSync(join(rows, "rows"));
  await later.close();

  const current = join(backup, "current");
  renameSync(rows, current);
  cpSync(join(backup, "rows"), rows, { recursive: true });
  const files = () => readdirSync(rows, { recursive: true }).sort();
  const before = files();
  const reason = rowsMissing({ folder: join(rows, "rows"), named, others: ["first"] });
  const place = options.data.replace("postgres@", "");
  await expect(started(options)).rejects.toThrow(new Error(cannotOpen({ place, reason })));
  expect(files()).toEqual(before);

  rmSync(rows, { recursive: true });
  renameSync(current, rows);
  expect(await stateOf(await started(options))).toEqual(SAVED);
});

test("dumps and copies that are created during loads have their rows", async () => {
  const { api } = await savedAndChanged();
  const { owner, slug, place, token } = shop(api);
  const found: unknown[] = [];
  let number = 0;
  const create = async () => {
    number += 1;
    const name = `created-${number}`;
    const file = new File([`create table t as select '${name}' as x;`], "dump.sql");
    const { dump_url: url } = await owner.ok("uploadDump", { ...slug, body: { file } } as never);
    const dumped = await owner.ok("createDatabase", {
      ...slug,
      body: { name, group: "default", seed: { type: "dump", url } },
    });
    const body = { name: `${name}-copy`, group: "default", seed: { type: "database", name } } as const;
    const copied = await owner.ok("createDatabase", { ...slug, body });
    for (const { DbId, Name } of [dumped.database, copied.database])
      found.push([name, ...(await column(place(DbId, await token(Name)), "select x from t"))]);
  };
  const progress = { isOver: false };
  const worker = async () => {
    // A load removes what was created before it.
    while (!progress.isOver) await create().catch(() => undefined);
  };
  const workers = [worker(), worker(), worker()];
  for (let load = 0; load < 15; load += 1) await api.load("saved");
  progress.isOver = true;
  await Promise.all(workers);
  await create();
  expect(found.length).toBeGreaterThan(1);
  for (const each of found) expect(each).toEqual([(each as unknown[])[0], (each as unknown[])[0]]);
});
