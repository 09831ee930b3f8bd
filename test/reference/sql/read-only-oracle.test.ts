// @module-tag more

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { type Client, type Config, createClient as createHttpClient } from "@libsql/client/http";
import { expect, test } from "vitest";
import { findSqld, Sqld } from "../../../tools/lab/sqld";
import { execute, type Place, post, sqlWorld, stmt } from "./sql";

/** Returns a token as libSQL's own server reads it. */
function mint(access: "ro" | "rw", key: KeyObject): string {
  const parts = [{ alg: "EdDSA", typ: "JWT" }, { a: access }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return `${parts.join(".")}.${sign(null, Buffer.from(parts.join(".")), key).toString("base64url")}`;
}

interface Servers {
  readonly writer: Place;
  readonly reader: Place;
}

const AUTOCOMMIT = { type: "get_autocommit" };
const INSERT = "insert into t values (2)";

/** Returns the statuses, and the results up to their types, of requests that continue each other's stream. */
async function statusesOf(reader: Place, ...turns: readonly object[][]): Promise<unknown[]> {
  const seen: unknown[] = [];
  let baton: string | null = null;
  for (const requests of turns) {
    const answer = await post(reader, "v3/pipeline", { baton, requests });
    const text = await answer.text();
    if (answer.status !== 200) {
      seen.push(answer.status);
      continue;
    }
    const { results, ...next } = JSON.parse(text);
    ({ baton } = next);
    seen.push(
      results.map(({ type, response }: { type: string; response?: { is_autocommit?: boolean } }) => [
        type,
        response?.is_autocommit,
      ]),
    );
  }
  return seen;
}

/** Returns how each step of a transaction of the official client ends. */
async function stepsOf(client: Client): Promise<string[]> {
  const steps: string[] = [];
  const note = (step: Promise<unknown>) =>
    step.then(
      () => steps.push("done"),
      ({ code }) => steps.push(code === "TRANSACTION_CLOSED" ? code : "refused"),
    );
  await note(client.batch(["select * from t"], "write"));
  await note(client.batch(["select * from t", INSERT], "write"));
  for (const mode of ["write", "deferred", "read"] as const) {
    const transaction = await client.transaction(mode);
    for (const sql of ["select * from t", INSERT, "select * from t"]) await note(transaction.execute(sql));
    await note(transaction.rollback());
  }
  return steps;
}

const connected = ({ url, token }: Place): Client => createHttpClient({ url, authToken: token } satisfies Config);

test("a read-only token can do in transactions what it can do in libSQL's own server", async (context) => {
  const found = await findSqld();
  if ("missing" in found) return context.skip(found.missing);
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const sqld = await Sqld.start(found.program, { publicKey: `${publicKey.export({ type: "spki", format: "pem" })}` });
  try {
    const { database, token } = await sqlWorld();
    const orders = await database("orders");
    const url = `${sqld.url}/`;
    const ours: Servers = {
      writer: orders,
      reader: { url: orders.url, token: await token("orders", { authorization: "read-only" }) },
    };
    const theirs: Servers = {
      writer: { url, token: mint("rw", privateKey) },
      reader: { url, token: mint("ro", privateKey) },
    };
    for (const { writer } of [ours, theirs]) await execute(writer, "create table t as select 1 as x");
    const [select, insert] = [stmt("select x from t"), stmt(INSERT)];
    for (const begin of ["begin", "begin immediate", "begin exclusive", "begin readonly"])
      for (const turns of [
        [[stmt(begin), AUTOCOMMIT, select, stmt("commit"), AUTOCOMMIT]],
        [
          [stmt(begin), AUTOCOMMIT],
          [select, stmt("savepoint a"), stmt("release a")],
          [stmt("rollback"), AUTOCOMMIT],
        ],
        [[stmt(begin), select], [insert], [select]],
        [[stmt(begin), select], [select, { type: "sequence", sql: `select 1; ${INSERT}` }], [select]],
        [[stmt(begin), insert, stmt("commit")]],
      ])
        expect(await statusesOf(ours.reader, ...turns), JSON.stringify(turns)).toEqual(
          await statusesOf(theirs.reader, ...turns),
        );
    expect(await stepsOf(connected(ours.reader))).toEqual(await stepsOf(connected(theirs.reader)));
  } finally {
    await sqld.end();
  }
});
