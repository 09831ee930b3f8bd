import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { expiresSoon } from "../../kit/lifecycle/messages";
import { databaseKeyRotation, tokenStaysValid } from "../../provider/resources/token/messages";
import { full } from "../full";
import { type EngineFixture, engineFixture } from "./engine-fixture";

const DAY_S = 86_400;
const HOUR_S = 3_600;

const verified = ({ api }: EngineFixture, token: unknown, dbId: unknown): Promise<boolean> =>
  api.verifySqlToken(String(token), String(dbId)).then(
    () => true,
    () => false,
  );

/** Returns the token renewal messages in the summary at the end of a run. */
const renewalsTold = (output: string): string[] =>
  [...(output.split("Diagnostics:")[1] ?? "").matchAll(/This \w+ token expires on .*/g)].map(([told]) => told);

/** Returns the audit-log entries for created and revoked API tokens, oldest first. */
async function changesOfApiTokens({ api, outside }: EngineFixture): Promise<string[]> {
  const { audit_logs } = await outside.listAuditLogs({ organizationSlug: api.organization });
  return audit_logs
    .reverse()
    .filter(({ code }) => code.startsWith("user-token-"))
    .map(({ code, data }) => `${code.replace("user-token-", "")} ${data.id}`);
}

test("issues SQL-engine tokens once, renews them in time, and keeps them when the database is restored", {
  tags: "more",
}, async () => {
  const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
  const { writes } = here;
  const triggers = { quarter: "1" };
  const stack = await here.stack(async () => {
    const { dbId: database } = new plugin.Database("orders", { name: "orders", group: "default" });
    const { generation } = new plugin.SigningKeyRotation("orders", { database, triggers: { ...triggers } });
    const renewed = { expiration: "30d", renewBefore: "7d" };
    const app = new plugin.DatabaseToken("app", { database, ...renewed, keepers: { generation } });
    const wide = new plugin.GroupToken("wide", { group: "default", authorization: "read-only" });
    return { database, app: app.token, wide: wide.token, expiresAt: app.expiresAt };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes().sort()).toEqual(["createDatabase", "createDatabaseTokenById", "createGroupTokenById"]);
  const first = await stack.outputs();
  expect(first.expiresAt).toBe("2026-03-31T12:00:00.000Z");

  // Shortly before a token expires, a plain preview (without `--refresh`) reports the renewal, and the next update
  // issues a new token.
  await here.api.advance(23 * DAY_S - HOUR_S);
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  await here.api.advance(HOUR_S);
  const due = await stack.preview({ expectNoChanges: true });
  expect(due.code).toBe(7);
  expect(due.output).toMatch(/app replace \[diff: ~expiresAt\]/);
  expect(renewalsTold(due.output)).toEqual([
    expiresSoon({ kind: "database token", end: "2026-03-31T12:00:00Z", property: "renewBefore", before: "7d" }),
  ]);
  expect(writes()).toEqual([]);
  const renewal = await stack.up();
  expect(renewalsTold(renewal.output)).toHaveLength(1);
  expect(renewal.output).toContain(
    tokenStaysValid({ thing: `database ${first.database}`, end: "2026-03-31T12:00:00Z" }),
  );
  expect(writes()).toEqual(["createDatabaseTokenById"]);
  const second = await stack.outputs();
  expect(second).toMatchObject({ wide: first.wide, expiresAt: "2026-04-23T12:00:00.000Z" });
  for (const token of [first.app, second.app]) expect(await verified(here, token, first.database)).toBe(true);

  // One update restores the database, rotates its key, and replaces the token whose keepers changed. The group token
  // stays valid.
  await here.delete(String(first.database));
  triggers.quarter = "2";
  writes();
  const rotating = await stack.preview();
  expect(rotating.output).toContain(databaseKeyRotation({ name: "orders", id: String(first.database) }));
  expect(rotating.output).toMatch(/app replace \[diff: ~keepers\]/);
  expect(writes()).toEqual([]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["restoreDatabase", "rotateDatabaseTokens", "createDatabaseTokenById"]);
  const third = await stack.outputs();
  expect(await verified(here, second.app, first.database)).toBe(false);
  for (const token of [third.app, first.wide]) expect(await verified(here, token, first.database)).toBe(true);

  for (const { app, wide } of [first, second, third])
    for (const secret of [app, wide]) {
      expect(stack.filesWith(String(secret))).toEqual([]);
      for (const { output } of [due, renewal, rotating]) expect(output).not.toContain(secret);
    }
  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject({ code: 0 });
  expect(destroyed.output).toContain(tokenStaysValid({ thing: 'group "default"' }));
  expect(writes()).toEqual(["deleteDatabaseById"]);
});

test.each([
  ["plugin", plugin] as const,
  // The cast is safe, because the SDKs differ only in how they declare resource options.
  ...(full ? [["dynamic", dynamic as unknown as typeof plugin] as const] : []),
])(
  "with the %s provider, rotates signing keys before issuing new tokens, and revokes old API tokens",
  async (_, sdk) => {
    const here = await engineFixture();
    let turn = "1";
    const stack = await here.stack(async () => {
      const database = new sdk.Database("orders", { name: "orders", group: "default" }).dbId;
      const { generation } = new sdk.SigningKeyRotation("default", { group: "default", triggers: { turn } });
      const app = new sdk.DatabaseToken("app", { database, keepers: { generation } });
      const wide = new sdk.GroupToken("wide", { group: "default", keepers: { generation } });
      const made = new sdk.ApiToken("made", { keepers: { turn } });
      // Depends on the other token, so that both tokens always change in the same order.
      const fixed = new sdk.ApiToken("fixed", { name: "fixed", keepers: { turn } }, { dependsOn: made });
      return { database, generation, app: app.token, wide: wide.token, made: made.id, fixed: fixed.id };
    });
    expect(await stack.up()).toMatchObject({ code: 0 });
    const before = await stack.outputs();
    here.writes();
    turn = "2";
    expect(await stack.up()).toMatchObject({ code: 0 });
    const after = await stack.outputs();
    const writes = here.writes();
    const ofSqlTokens = writes.filter((operation) => !operation.endsWith("ApiToken"));
    expect(ofSqlTokens[0]).toBe("rotateGroupTokens");
    expect(ofSqlTokens.slice(1).sort()).toEqual(["createDatabaseTokenById", "createGroupTokenById"]);
    expect([before.generation, after.generation]).toEqual(["0", "1"]);
    for (const token of [before.app, before.wide]) expect(await verified(here, token, before.database)).toBe(false);
    for (const token of [after.app, after.wide]) expect(await verified(here, token, before.database)).toBe(true);

    expect(await changesOfApiTokens(here)).toEqual([
      `create ${before.made}`,
      `create ${before.fixed}`,
      `create ${after.made}`,
      `revoke ${before.fixed}`,
      `create ${after.fixed}`,
      `revoke ${before.made}`,
    ]);
    for (const secret of [after.app, after.wide]) expect(stack.filesWith(String(secret))).toEqual([]);
  },
);
