import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type ReferenceApi, type ReferenceApiOptions, startReferenceApi } from "../../../platform/reference/server";
import { alreadyServed, folderOfOthers } from "../../../platform/reference/sql/messages";
import { takeDataLock } from "../../../platform/reference/store/data-lock";
import { calling } from "../calling";
import { ask, emptyData, engine, freshData } from "../data";
import { column, execute, post } from "../sql/sql";
import { startProcess } from "./process";

describe.runIf(engine === "postgres")("--sql on PostgreSQL", () => {
  let data: string;
  let place: string;
  let sqlFolder: string;

  beforeEach(async () => {
    const fresh = await freshData();
    onTestFinished(fresh.remove);
    data = fresh.place;
    place = data.replace("postgres@", "");
    sqlFolder = await newFolder();
  });

  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "rows-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    return folder;
  }

  async function start(options: ReferenceApiOptions = {}): Promise<ReferenceApi> {
    const api = await startReferenceApi({ data, sql: true, sqlFolder, ...options });
    onTestFinished(() => api.close());
    return api;
  }

  const slug = { organizationSlug: "acme" };

  /**
   * Creates a database and a token for it. Returns a function that, given a server, returns the database's URL on that
   * server and the token.
   */
  async function newDatabase(api: Parameters<typeof calling>[0], body: object) {
    const owner = calling(api);
    const { database } = await owner.ok("createDatabase", { ...slug, body: { group: "default", ...body } as never });
    const wanted = { ...slug, databaseName: database.Name, query: {}, body: {} } as never;
    const { jwt: token } = await owner.ok("createDatabaseToken", wanted);
    return (server: { readonly url: string }) => ({ url: `${server.url}/sql/${database.DbId}/`, token });
  }

  test("rows survive kill -9 and a restart", async () => {
    const killed = await startProcess(data, "--sql", "--sql-folder", sqlFolder);
    const orders = await newDatabase(killed, { name: "orders" });
    await execute(orders(killed), "create table t (x)");
    await execute(orders(killed), "insert into t values (1)");
    await killed.kill();

    const first = await start();
    expect(await column(orders(first), "select x from t")).toEqual(["1"]);
    await execute(orders(first), "insert into t values (2)");
    await first.close();
    expect(await column(orders(await start()), "select x from t")).toEqual(["1", "2"]);
  });

  test("refuses a second server with --sql, on the same or another folder, until the first one stops", async () => {
    const first = await start();
    const elsewhere = await newFolder();
    for (const folder of [sqlFolder, elsewhere])
      await expect(start({ sqlFolder: folder })).rejects.toThrow(alreadyServed({ place }));
    expect(await readdir(elsewhere)).toEqual([]);
    await first.close();
    await start({ sqlFolder: elsewhere });
  });

  test("a copy made by a server without --sql has the rows that its parent had when the copy was made", async () => {
    const api = await start();
    const orders = await newDatabase(api, { name: "orders" });
    await execute(orders(api), "create table t (x)");
    await execute(orders(api), "insert into t values (1)");
    const sharing = await start({ sql: false, sqlFolder: undefined });
    const copy = await newDatabase(sharing, { name: "copy", seed: { type: "database", name: "orders" } });
    await execute(orders(api), "insert into t values (2)");
    expect(await column(copy(api), "select x from t")).toEqual(["1"]);
  });

  test("refuses a folder that belongs to another database or contains unrelated files, and does not change it", async () => {
    const first = await start();
    await first.close();
    const others = await emptyData();
    onTestFinished(others.remove);
    const otherPlace = others.place.replace("postgres@", "");
    const before = await readdir(sqlFolder);
    await expect(start({ data: others.place })).rejects.toThrow(
      new Error(folderOfOthers({ folder: sqlFolder, place: otherPlace })),
    );
    expect(await readdir(sqlFolder)).toEqual(before);

    const ofUser = await newFolder();
    await writeFile(join(ofUser, "notes.txt"), "notes");
    await expect(start({ sqlFolder: ofUser })).rejects.toThrow(new Error(folderOfOthers({ folder: ofUser, place })));
    expect(await readdir(ofUser)).toEqual(["notes.txt"]);
    await start();
  });

  test("after a lost connection, returns 503 until no other server holds the lock", async () => {
    const api = await start();
    const orders = (await newDatabase(api, { name: "orders" }))(api);
    await execute(orders, "create table t (x)");
    const locks = (granted: boolean, columns: string) =>
      ask(
        data,
        `select ${columns} from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and granted = ${granted} and pg_locks.database = (
          select oid from pg_database where datname = current_database())`,
      );

    const taking = takeDataLock(data, () => new Error("taken"));
    await vi.waitFor(async () => expect(await locks(false, "pid")).toHaveLength(1));
    await locks(true, "pg_terminate_backend(pid)");
    const taken = await taking;
    await vi.waitFor(
      async () => {
        const answer = await post(orders, "v2/pipeline", { requests: [] });
        expect([answer.status, await answer.json()]).toMatchObject([503, { error: alreadyServed({ place }) }]);
      },
      { timeout: 20_000 },
    );
    await taken.close();
    await execute(orders, "insert into t values (1)");
    expect(await locks(true, "pid")).toHaveLength(1);
  });
});
