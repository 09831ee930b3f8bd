import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { STREAM_ENDED } from "../../../platform/reference/sql/engine/messages";
import { execute, type Place, pipeline, sqlWorld } from "./sql";

const MIB = 1024 ** 2;

const requestsOf = (...statements: string[]) => statements.map((sql) => ({ type: "execute", stmt: { sql } }));

/** Starts a server with the database `shop`, and a second database that may attach it. */
async function shopWorld() {
  const folder = mkdtempSync(join(tmpdir(), "sql-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, "shop.db");
  const { database, owner, slug } = await sqlWorld({ data });
  const [shop, other] = [await database("shop"), await database("other")];
  await execute(shop, "create table t (x)");
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "shop", body: { allow_attach: true } });
  const body = { permissions: { read_attach: { databases: ["shop"] } } };
  const attaching = { ...slug, databaseName: "other", query: {}, body } as never;
  const { jwt: token } = await owner.ok("createDatabaseToken", attaching);
  const log = join(`${data}-sql`, "databases", shop.id, "data-wal");
  return { shop, other: { ...other, token }, log };
}

/**
 * Writes 5 MB up to 30 times, and runs a query on another stream after each write. Returns the error code of the first
 * query that fails.
 */
async function writeWhileReading(shop: Place, reader: Place, baton: string | null): Promise<string | undefined> {
  let next = baton;
  for (let written = 0; written < 30; written += 1) {
    await execute(shop, "insert into t values (zeroblob(5000000))");
    const answer = await pipeline(reader, requestsOf("select 1"), next);
    const { error } = answer.results[0] ?? {};
    if (error) {
      expect(error.message).toBe(STREAM_ENDED);
      return error.code;
    }
    next = answer.baton;
  }
  return undefined;
}

test.each(["that database", "a database that attaches it"])(
  "limits a database's log to about 64 MiB despite an open transaction in %s",
  async (kind) => {
    const { shop, other, log } = await shopWorld();
    const isOther = kind !== "that database";
    const reader = isOther ? other : shop;
    const reading = isOther
      ? [`attach "${shop.id}" as shop`, "begin", "select * from shop.t"]
      : ["begin", "select * from t"];
    const { baton } = await pipeline(reader, requestsOf(...reading));
    expect(await writeWhileReading(shop, reader, baton)).toBe("STREAM_EXPIRED");
    expect(statSync(log).size).toBeLessThan(80 * MIB);
    await execute(shop, "insert into t values (zeroblob(5000000))");
    expect(statSync(log).size).toBeLessThan(6 * MIB);
  },
);
