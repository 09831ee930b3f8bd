import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refuse } from "../../platform/reference/messages";
import { type OpenReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { SNAPSHOT_LOADED } from "../../platform/reference/sql/messages";
import { full, printingFailures } from "../full";
import { calling, raw } from "./calling";
import { engine } from "./data";
import { brokenInvariants } from "./invariants";
import { freshOptions, newFolder, seen, shop, started } from "./snapshot-world";
import { column, execute } from "./sql/sql";

type World = ReturnType<typeof shop> & { readonly api: OpenReferenceApi };

const DUMP = "create table items (id integer primary key, name text); insert into items values (1, 'uploaded');";

const dump = () => new File([DUMP], "dump.sql");

/** Changes of records, rows, tokens and clock, by name. Each may be refused. */
const CHANGES: Readonly<Record<string, (world: World, name: string) => Promise<unknown>>> = {
  createDatabase: ({ owner, slug }, name) =>
    owner.status("createDatabase", { ...slug, body: { name, group: "default" } }),
  deleteDatabase: ({ owner, slug }, name) => owner.status("deleteDatabase", { ...slug, databaseName: name }),
  createGroup: ({ owner, slug }, name) =>
    owner.status("createGroup", { ...slug, body: { name, location: "aws-us-east-1" } }),
  deleteGroup: ({ owner, slug }, name) => owner.status("deleteGroup", { ...slug, groupName: name }),
  protect: ({ owner, slug }, name) =>
    owner.status("updateDatabaseConfiguration", { ...slug, databaseName: name, body: { size_limit: "2gb" } }),
  copy: ({ owner, slug }, name) =>
    owner.status("createDatabase", {
      ...slug,
      body: { name: `${name}-copy`, group: "default", seed: { type: "database", name } },
    }),
  fromDump: async ({ owner, slug }, name) => {
    const { dump_url } = await owner.ok("uploadDump", { ...slug, body: { file: dump() } } as never);
    const body = { name: `${name}-dump`, group: "default", seed: { type: "dump", url: dump_url } } as const;
    return owner.status("createDatabase", { ...slug, body });
  },
  insert: (world, name) => run(world, name, `insert into items (name) values ('${name}')`),
  createTable: (world, name) =>
    run(world, name, "create table if not exists items (id integer primary key, name text)"),
  fill: (world, name) =>
    run(world, name, "insert into items (name) select hex(randomblob(100)) from (values (1), (2), (3)), sqlite_schema"),
  token: ({ owner, slug }, tokenName) =>
    owner.status("createApiToken", { tokenName, body: { organization: slug.organizationSlug } }),
  rotate: ({ owner, slug }, name) => owner.status("rotateDatabaseTokens", { ...slug, databaseName: name }),
  member: ({ api }, name) => api.member(name, "member"),
  plan: ({ api }) => api.plan("developer"),
  advance: ({ api }) => api.advance(3_600),
};

async function run({ owner, slug, place, token }: World, name: string, sql: string): Promise<void> {
  const { databases } = await owner.ok("listDatabases", slug);
  const database = databases.find(({ Name }) => Name === name);
  if (database) await execute(place(database.DbId, await token(name)), sql).catch(() => undefined);
}

const changes = fc.array(
  fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.constantFrom("orders", "users", "default", "shop")),
  { minLength: 3, maxLength: 12, size: "max" },
);

async function play(api: OpenReferenceApi, steps: readonly (readonly [string, string])[]): Promise<void> {
  const world = { api, ...shop(api) };
  for (const [change, name] of steps) await CHANGES[change]?.(world, name);
}

const RUNS = engine === "memory" ? (full ? 100 : 8) : 4;

test(`after a save, any changes and a load, every GET and every row is as before (${RUNS} runs)`, {
  tags: "more",
}, async () => {
  const property = async ({ before, after }: Readonly<Record<"before" | "after", [string, string][]>>) => {
    const api = await startReferenceApi(await freshOptions());
    try {
      await play(api, [["createDatabase", "orders"], ["createTable", "orders"], ...before]);
      await api.save("seeded");
      const expected = await seen(api);
      await play(api, after);
      await api.clock.run();
      await api.load("seeded");
      expect(await seen(api)).toEqual(expected);
      await api.load("seeded");
      expect(await seen(api)).toEqual(expected);
      expect(await api.store.read(brokenInvariants)).toEqual([]);
    } finally {
      await api.close();
    }
  };
  const steps = fc.record({ before: changes, after: changes });
  await fc.assert(fc.asyncProperty(steps, printingFailures(property)), { numRuns: RUNS });
});

test("tokens that were valid at the save are valid after the load, and later ones are not", async () => {
  const api = await started(await freshOptions());
  const { owner, slug, database } = shop(api);
  const orders = await database("orders");
  const { token: early } = await owner.ok("createApiToken", { tokenName: "early", body: { organization: "acme" } });
  await api.save("seeded");
  const { token: late } = await owner.ok("createApiToken", { tokenName: "late", body: { organization: "acme" } });
  await owner.ok("revokeApiToken", { ...slug, tokenId: await idOf(api, "early") });
  await owner.ok("rotateDatabaseTokens", { ...slug, databaseName: "orders" });
  await api.load("seeded");
  expect(await calling(api, early).status("listDatabases", slug)).toBe(200);
  expect(await calling(api, late).status("listDatabases", slug)).toBe(401);
  expect(await column(orders, "select 1")).toEqual(["1"]);
});

async function idOf(api: OpenReferenceApi, name: string): Promise<string> {
  const { owner, slug } = shop(api);
  return (await owner.ok("listApiTokens", slug)).tokens.find((token) => token.name === name)?.id ?? "";
}

test("a load restores the clock, the initial fault rules and an empty journal", async () => {
  const api = await started({ ...(await freshOptions()), faults: [{ operation: "listLocations", status: 503 }] });
  await api.advance(60);
  const now = await api.clock.now();
  await api.save("seeded");
  await api.clock.set(null);
  api.clearFaults();
  api.fault({ operation: "*", status: 500 });
  await api.load("seeded");
  expect([await api.clock.now(), await api.clock.stands(), api.journal()]).toEqual([now, true, []]);
  expect(api.faults()).toMatchObject([{ operation: "listLocations" }]);
  await api.clock.run();
  await api.save("running");
  await api.clock.freeze();
  await api.load("running");
  expect(await api.clock.stands()).toBe(false);
});

test("a snapshot can be loaded elsewhere, where the tokens of both servers are valid", async () => {
  const options = await freshOptions();
  const first = await started({
    ...options,
    seed: {
      users: [{ username: "zoe" }],
      organizations: [
        {
          slug: "hooli",
          members: [{ username: "zoe", role: "owner" }],
          groups: [{ name: "default" }],
          databases: [{ name: "seeded", sql: "create table t as select 1 as x" }],
          tokens: [{ name: "ci", user: "zoe", group: "default", scopes: ["read-only"] }],
        },
      ],
    },
  });
  const orders = await shop(first).database("orders");
  await execute(orders, "create table t as select 7 as x");
  await first.save("seeded");
  const { snapshots } = options;
  await first.close();

  const other = await started({ snapshots, sql: true });
  expect(other.organization).toBe("acme");
  await other.load("seeded");
  const here = shop(other);
  expect([other.organization, other.organizationId]).toEqual([first.organization, first.organizationId]);
  expect(await here.names()).toEqual(["orders", "seeded"]);
  expect(await calling(other, first.tokens.ci).status("listDatabases", here.slug)).toBe(200);
  expect(await calling(other, other.unrestrictedToken).status("listDatabases", here.slug)).toBe(200);
  expect(await column({ ...orders, url: here.place(orders.id, "").url }, "select x from t")).toEqual(["7"]);
  const { databases } = await here.owner.ok("listDatabases", here.slug);
  const seeded = databases.find(({ Name }) => Name === "seeded")?.DbId ?? "";
  expect(await column(here.place(seeded, await here.token("seeded")), "select x from t")).toEqual(["1"]);
  await other.reset();
  expect([other.organization, await shop(other).names()]).toEqual(["acme", []]);
});

test("a token of a later start is valid after a load, and so are the ids of a deterministic server", async () => {
  const options = { ...(await freshOptions()), sql: false, deterministic: true };
  const { sqlFolder: _, ...records } = { sqlFolder: "", ...options };
  const first = await started(records);
  await first.save("seeded");
  if (engine === "memory") return;
  await first.close();
  const second = await started(records);
  await second.load("seeded");
  const { owner, slug, names } = shop(second);
  for (const name of ["one", "two"]) await owner.ok("createDatabase", { ...slug, body: { name, group: "default" } });
  await second.token();
  expect(await names()).toEqual(["one", "two"]);
});

test("past states begin at the save, and copies of earlier ones are refused", async () => {
  const api = await started(await freshOptions());
  const { owner, slug, database } = shop(api);
  const orders = await database("orders");
  await execute(orders, "create table t as select 1 as x");
  const early = (await api.clock.now()).toISOString();
  await api.advance(60);
  await api.save("seeded");
  await api.load("seeded");
  const seed = { type: "database", name: "orders", timestamp: early } as const;
  const refused = await owner.refused("createDatabase", { ...slug, body: { name: "copy", group: "default", seed } });
  expect(refused).toMatchObject(
    refusalOf(refuse.momentNotKept({ database: "orders", since: "2026-03-01T12:01:00.000Z" })),
  );
  await execute(orders, "insert into t values (2)");
  const copy = await database("copy", { seed: { type: "database", name: "orders" } });
  expect(await column(copy, "select x from t")).toEqual(["1", "2"]);
});

const refusalOf = ({ status, message }: { status: number; message: string }) => ({ status, error: message });

test("without SQL, a snapshot has the records alone", async () => {
  const { sql: _, ...options } = await freshOptions();
  const { sqlFolder: _folder, ...records } = { sqlFolder: "", ...options };
  const api = await started(records);
  const { owner, slug, names } = shop(api);
  await owner.ok("createDatabase", { ...slug, body: { name: "orders", group: "default" } });
  expect(await api.save("seeded")).toMatchObject({ name: "seeded", databases: 1, rows: false });
  await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
  await api.load("seeded");
  expect(await names()).toEqual(["orders"]);
});

test.runIf(engine !== "memory")("a server without SQL refuses to separate records from their rows", async () => {
  const options = await freshOptions();
  const api = await started(options);
  await api.save("seeded");
  const { sql: _, ...records } = options;
  const { sqlFolder: _folder, ...without } = { sqlFolder: "", ...records };
  const other = await started(without);
  await expect(other.save("other")).rejects.toThrow(refuse.rowsElsewhere().message);
  await expect(other.load("seeded")).rejects.toThrow(refuse.rowsElsewhere().message);
});

describe("the routes", () => {
  const send = async (api: OpenReferenceApi, method: string, path: string, body?: unknown) => {
    const answer = await raw(`${api.url}/_reference/snapshots${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, ...(await answer.json()) };
  };

  test("save, list, load and delete snapshots", async () => {
    const api = await started(await freshOptions());
    const { names, database } = shop(api);
    await database("orders");
    expect(await send(api, "GET", "")).toEqual({ status: 200, snapshots: [] });
    const saved = {
      name: "seeded",
      savedAt: expect.any(String),
      now: "2026-03-01T12:00:00.000Z",
      databases: 1,
      rows: true,
      version: expect.any(String),
    };
    expect(await send(api, "POST", "", { name: "seeded" })).toEqual({ status: 200, ...saved });
    expect(await send(api, "GET", "")).toEqual({ status: 200, snapshots: [saved] });
    await database("more");
    expect(await send(api, "POST", "/seeded/load")).toEqual({ status: 200, ...saved });
    expect(await names()).toEqual(["orders"]);
    expect(await send(api, "DELETE", "/seeded")).toEqual({ status: 200 });
    expect(await send(api, "GET", "")).toEqual({ status: 200, snapshots: [] });
  });

  test("refuse names that exist, that do not exist, or that lead elsewhere", async () => {
    const options = await freshOptions();
    const api = await started(options);
    await api.save("seeded");
    const missing = { status: 404, error: expect.stringContaining("there is no snapshot [other]") };
    expect(await send(api, "POST", "/other/load")).toEqual(missing);
    expect(await send(api, "DELETE", "/other")).toEqual(missing);
    expect(await send(api, "POST", "", { name: "seeded" })).toEqual(
      refusalOf(refuse.snapshotExists({ name: "seeded" })),
    );
    expect(await send(api, "POST", "", { name: "seeded", replace: true })).toMatchObject({ status: 200 });
    for (const name of ["../seeded", "", "Seeded", "a/b", ".", "a.part", "con", "lpt9", "x".repeat(65)]) {
      const refused = refusalOf(refuse.snapshotName({ given: JSON.stringify(name) }));
      expect(await send(api, "POST", "", { name })).toEqual(refused);
      if (name !== "" && name !== ".")
        expect(await send(api, "POST", `/${encodeURIComponent(name)}/load`)).toEqual(refused);
    }
    expect(await readdir(options.snapshots)).toEqual(["seeded"]);
  });

  test("create no folder when there is nothing to delete", async () => {
    const options = await freshOptions();
    const api = await started(options);
    expect(await send(api, "DELETE", "/other")).toMatchObject({ status: 404 });
    expect(existsSync(options.snapshots)).toBe(false);
  });

  test("never replace or delete a folder that is not a snapshot", async () => {
    const options = await freshOptions();
    const api = await started({ ...options, snapshots: join(options.snapshots, "..") });
    await api.save("snapshots");
    await cp(join(options.snapshots), join(options.snapshots, "..", "src"), { recursive: true });
    await rm(join(options.snapshots, "..", "src", "snapshot.json"));
    expect(await send(api, "POST", "", { name: "src", replace: true })).toMatchObject({ status: 409 });
    expect(await send(api, "DELETE", "/src")).toMatchObject({ status: 404 });
    expect(await readdir(join(options.snapshots, "..", "src"))).toContain("records.json");
  });
});

type Tables = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** The tables and columns of the first version that was published. */
const FIRST_COLUMNS: Readonly<Record<string, string>> = {
  settings: "name value",
  users: "id username name email",
  organizations: "id number slug name plan overages require_mfa restore_enabled",
  members: "organization_id user_id role",
  groups: "id organization_id name location delete_protection deleted_at cascade_databases",
  databases:
    "id organization_id group_id name size_limit allow_attach block_reads block_writes delete_protection allowed_ips allowed_aws_vpc_ids deleted_at group_deleted_at",
  tokens: "id name user_id organization_id group_id scopes jti_hash created_at",
};

describe("a snapshot of another version", () => {
  async function saved() {
    const options = await freshOptions();
    const api = await started(options);
    const { database, names } = shop(api);
    await execute(await database("orders"), "create table t as select 1 as x");
    await api.save("seeded");
    await database("more");
    const before = await names();
    const file = (name: string) => join(options.snapshots, "seeded", name);
    return {
      api,
      folder: join(options.snapshots, "seeded"),
      names,
      async change(name: string, change: (content: never) => unknown) {
        const content = JSON.parse(await readFile(file(name), "utf8"));
        await writeFile(file(name), JSON.stringify(change(content as never)));
      },
      /** Returns the error of a load, after which nothing has changed. */
      async refused(): Promise<string> {
        const failure = await api.load("seeded").then(
          () => "loaded",
          ({ message }) => message,
        );
        expect(await names()).toEqual(before);
        return failure;
      },
    };
  }

  test("is migrated if the version is older", async () => {
    const { api, change, names } = await saved();
    await change("snapshot.json", (manifest: { migrations: string[] }) => ({
      ...manifest,
      migrations: manifest.migrations.slice(0, 1),
    }));
    await change("records.json", (tables: Tables) =>
      Object.fromEntries(
        Object.entries(FIRST_COLUMNS).map(([table, columns]) => [
          table,
          tables[table]?.map((row) => Object.fromEntries(columns.split(" ").map((column) => [column, row[column]]))),
        ]),
      ),
    );
    await api.load("seeded");
    expect(await names()).toEqual(["orders"]);
    expect(await api.store.read(brokenInvariants)).toEqual([]);
  });

  test("is refused if the version is newer", async () => {
    const { change, refused } = await saved();
    await change("snapshot.json", (manifest: { migrations: string[] }) => ({
      ...manifest,
      version: "9.0.0",
      migrations: [...manifest.migrations, "9999-unknown"],
    }));
    const facts = { name: "seeded", savedBy: "9.0.0", release: "0.1.0" };
    expect(await refused()).toBe(refuse.snapshotNewer(facts).message);
    await change("snapshot.json", (manifest: object) => ({ ...manifest, format: 2 }));
    expect(await refused()).toBe(refuse.snapshotNewer(facts).message);
  });

  test("is refused with the reason if another program has changed it", async () => {
    const { change, refused, folder } = await saved();
    const unusable = (reason: string) =>
      expect.stringMatching(new RegExp(`^snapshot \\[seeded\\] .*: .*${reason}`, "s"));
    const records = await readFile(join(folder, "records.json"), "utf8");
    await change("records.json", (tables: { groups: object[] }) => ({ ...tables, groups: [] }));
    expect(await refused()).toEqual(unusable("FOREIGN KEY"));
    await change("records.json", (tables: object) => ({ ...tables, groups: [{ id: "../x" }] }));
    expect(await refused()).toEqual(unusable("records.json"));
    await writeFile(join(folder, "records.json"), "[");
    expect(await refused()).toEqual(unusable("records.json"));
    const changed = JSON.parse(records) as Tables;
    const databases = changed.databases?.map((row) => ({ ...row, deleted_at: "yesterday" }));
    await writeFile(join(folder, "records.json"), JSON.stringify({ ...changed, databases }));
    expect(await refused()).toEqual(unusable("deleted_at"));
    expect(await refused(), "the second load").toEqual(unusable("deleted_at"));
    await writeFile(join(folder, "records.json"), records);
    const [rows = ""] = await readdir(join(folder, "rows"));
    await writeFile(join(folder, "rows", rows), "version https://git-lfs.github.com/spec/v1");
    expect(await refused()).toEqual(unusable("is not as it was saved"));
    await rm(join(folder, "rows"), { recursive: true });
    expect(await refused()).toEqual(unusable("gitignore"));
    await writeFile(join(folder, "snapshot.json"), "{}");
    expect(await refused()).toEqual(unusable("snapshot.json"));
  });
});

test("consistent under load: whatever was acknowledged before the save is in it, and nothing half", async () => {
  const options = await freshOptions();
  const api = await started(options);
  const { database, owner, slug } = shop(api);
  const [first, second] = [await database("first"), await database("second")];
  for (const each of [first, second]) await execute(each, "create table t (writer, n)");
  const acknowledged = [0, 0, 0, 0];
  let isEnding = false;
  // Each step is sent after the previous one was answered: to one database, to the other one, then to the records.
  const writers = acknowledged.map(async (_, writer) => {
    for (let n = 1; !isEnding; n += 1) {
      await execute(first, `insert into t values (${writer}, ${n})`);
      await execute(second, `insert into t values (${writer}, ${n})`);
      const body = { name: `g-${writer}-${n}`, location: "aws-us-east-1" };
      await owner.ok("createGroup", { ...slug, body });
      acknowledged[writer] = n;
    }
  });
  const names = Array.from({ length: 5 }, (_, index) => `save-${index}`);
  const known: number[][] = [];
  for (const name of names) {
    known.push([...acknowledged]);
    await api.save(name);
  }
  isEnding = true;
  await Promise.all(writers);
  for (const [index, name] of names.entries()) {
    await api.load(name);
    const { groups } = await owner.ok("listGroups", slug);
    for (const [writer] of acknowledged.entries()) {
      const count = async (place: typeof first) =>
        Number((await column(place, `select count(*) from t where writer = ${writer}`))[0]);
      const counts = [
        await count(first),
        await count(second),
        groups.filter((each) => each.name.startsWith(`g-${writer}-`)).length,
      ];
      const [most = 0, , least = 0] = counts;
      expect(counts).toEqual(counts.toSorted((one, other) => other - one));
      expect([most - least <= 1, least >= (known[index]?.[writer] ?? 0)]).toEqual([true, true]);
    }
  }
});

test("requests during loads fail or see a whole state", async () => {
  const api = await started(await freshOptions());
  const { database, owner, slug } = shop(api);
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  for (const name of ["a", "b"]) {
    await execute(orders, "delete from t");
    await execute(orders, `insert into t values ('${name}')`);
    await owner.ok("createGroup", { ...slug, body: { name, location: "aws-us-east-1" } });
    await api.save(name);
    await owner.ok("deleteGroup", { ...slug, groupName: name });
  }
  let isEnding = false;
  const found = new Set<string>();
  const reader = async () => {
    while (!isEnding)
      found.add(await column(orders, "select group_concat(x) from t").then(String, ({ message }) => message));
  };
  const readers = [reader(), reader()];
  for (const name of ["a", "b", "a", "b", "a"]) {
    await api.load(name);
    expect(await column(orders, "select x from t")).toEqual([name]);
    const { groups } = await owner.ok("listGroups", slug);
    expect(groups.map((group) => group.name).sort()).toEqual([name, "default"]);
  }
  isEnding = true;
  await Promise.all(readers);
  const allowed = ["a", "b", `STREAM_EXPIRED: ${SNAPSHOT_LOADED}`];
  expect([...found].filter((each) => !allowed.includes(each))).toEqual([]);
});

test("the records in a snapshot contain no text of a token", async () => {
  const options = await freshOptions();
  const api = await started(options);
  const { database } = shop(api);
  const { token } = await database("orders");
  await api.save("seeded");
  const text = await readFile(join(options.snapshots, "seeded", "records.json"), "utf8");
  for (const secret of [token, api.apiToken, api.unrestrictedToken]) expect(text).not.toContain(secret.split(".")[2]);
  // The private key of API tokens is not in it either: its public half is enough.
  const key = await api.store.read((state) =>
    state.selectFrom("settings").select("value").where("name", "=", "signing-key").executeTakeFirstOrThrow(),
  );
  expect(text).not.toContain(JSON.parse(key.value).d);
  expect(text).toContain(JSON.parse(key.value).x);
});

test("a save replaces a snapshot although another server was killed while it removed an earlier one", async () => {
  const options = await freshOptions();
  const api = await started(options);
  await api.save("seeded");
  await mkdir(join(options.snapshots, "seeded.replaced", "rows"), { recursive: true });
  await api.save("seeded", { replace: true });
  expect(await readdir(options.snapshots)).toEqual(["seeded"]);
});

test("a folder of snapshots that cannot be used is named, and hides nothing else on the page", async () => {
  const options = await freshOptions();
  await writeFile(options.snapshots, "");
  const api = await started(options);
  const refused = { status: 503, message: expect.stringContaining(options.snapshots) };
  for (const work of ["save", "load", "snapshots", "deleteSnapshot"] as const)
    await expect(api[work]("seeded")).rejects.toMatchObject(refused);
  expect((await fetch(api.url)).status).toBe(200);
});

test("without a folder, snapshots of data in memory end with the server", async () => {
  const api = await startReferenceApi();
  await api.save("seeded");
  expect((await api.snapshots()).map(({ name }) => name)).toEqual(["seeded"]);
  await api.close();
  const other = await started({ snapshots: await newFolder() });
  expect(await other.snapshots()).toEqual([]);
});

test.runIf(engine === "postgres")("data in PostgreSQL needs a folder for snapshots", async () => {
  const { snapshots: _, ...options } = await freshOptions();
  const api = await started(options);
  expect(await api.snapshots()).toEqual([]);
  await expect(api.save("seeded")).rejects.toThrow(refuse.snapshotsWithoutFolder().message);
  await api.reset();
});
