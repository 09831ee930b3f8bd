// @module-tag previews-are-true
// @module-tag clear-messages

import { expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import type { Sides } from "../../kit/lifecycle/comparison";
import type { Context } from "../../kit/lifecycle/context";
import { operationImpossible, tokenLacksAccess } from "../../kit/lifecycle/messages";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { scopesMissing } from "../../provider/permissions/messages";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { databaseToken } from "../../provider/resources/token/database-token";
import { groupToken } from "../../provider/resources/token/group-token";
import { signingKeyRotation } from "../../provider/resources/token/signing-key-rotation";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

type Work = (resource: AnyResource, at: Sides, context: Context) => Promise<unknown>;

const reads: Work = (resource, { id, oldInputs: inputs, state }, context) =>
  readManaged(resource, { id, inputs, state }, context);
const plansCreation: Work = (resource, { news }, context) => planCreate(resource, news, context);
const creates: Work = (resource, { news }, context) => create(resource, news, context);
const restores: Work = (resource, at, context) =>
  update(resource, { ...at, state: { ...at.state, deletedAt: new Date().toISOString() } }, context);

const group = "default";
const triggers = (quarter: string) => ({ triggers: { quarter } });

/** Operations, each with a resource, its inputs before and after, and the scopes that the operation requires. */
const STEPS: readonly [string, AnyResource, Work, Properties, Properties, readonly string[]][] = [
  ["reading a database", database, reads, { group }, {}, ["read"]],
  ["planning a database", database, plansCreation, { group }, { name: "another" }, ["read", "db:create"]],
  ["creating a database", database, creates, { group }, { name: "another" }, ["read", "db:create"]],
  ["replacing a database", database, diff, { group }, { name: "another" }, ["read", "db:create", "db:delete"]],
  ["restoring a database", database, restores, { group }, {}, ["read", "db:create"]],
  ["deleting a database", database, remove, { group }, {}, ["read", "db:delete"]],
  ["planning a configuration", databaseConfiguration, planUpdate, {}, { blockReads: true }, ["read", "db:configure"]],
  ["changing a configuration", databaseConfiguration, update, {}, { blockReads: true }, ["read", "db:configure"]],
  ["creating a database token", databaseToken, creates, {}, {}, ["read", "db:mint-token"]],
  ["creating a group token", groupToken, creates, { group }, {}, ["read", "group:mint-token"]],
  ["rotating a database's key", signingKeyRotation, update, triggers("3"), triggers("4"), ["read", "db:rotate-creds"]],
  [
    "rotating a group's key",
    signingKeyRotation,
    update,
    { group, ...triggers("3") },
    triggers("4"),
    ["read", "group:rotate-creds"],
  ],
];

/** Returns a context whose token lacks `scopes` but has several other scopes. */
async function lacking(here: LifecycleFixture, scopes: readonly string[]): Promise<Context> {
  const own = ["read", "db:create", "db:delete", "db:configure", "db:mint-token", "db:rotate-creds", "group:configure"];
  const apiToken = await here.api.token({ group, scopes: own.filter((scope) => !scopes.includes(scope)) });
  return here.again({}, { apiToken, organizationId: here.api.organizationId });
}

test.each(STEPS)(
  "names every missing scope at once when %s fails",
  async (_, resource, work, before, after, scopes) => {
    const here = await lifecycleFixture();
    const owner = await create(database, { name: "orders", group }, here.context);
    const inputs =
      resource === database
        ? { name: "old", ...before }
        : { ...("group" in before ? {} : { database: owner.id }), ...before };
    const { id, state } = await create(resource, inputs, here.again());
    if (work === restores)
      await clientOf(here.api, here.api.apiToken).deleteDatabaseById({
        organizationId: here.api.organizationId,
        databaseId: id,
      });
    const compared = { id, oldInputs: inputs, state, news: { ...inputs, ...after } };
    const journal = () => here.api.journal().filter(({ method, status }) => method !== "GET" && status === 200);
    const written = journal().length;
    await expect(work(resource, compared, await lacking(here, scopes))).rejects.toThrow(
      scopesMissing({ scopes: scopes }),
    );
    expect(journal()).toHaveLength(written);
  },
);

test("lists all scopes that are missing for a replacement in a single warning", async () => {
  const here = await lifecycleFixture();
  const inputs = { name: "orders", group };
  const { id, state } = await create(database, inputs, here.context);
  const context = await lacking(here, ["db:create", "db:delete"]);
  here.said.length = 0;
  const news = { ...inputs, name: "another" };
  await diff(database, { id, oldInputs: inputs, state, news }, context);
  await planCreate(database, news, context);
  expect(here.said.filter((text) => text.includes("lacks"))).toEqual([
    expect.stringContaining(scopesMissing({ scopes: ["db:create", "db:delete"] })),
  ]);
});

test("a preview warns of at most four resources for the same reason, and says that it leaves others out", async () => {
  const here = await lifecycleFixture();
  const apiToken = await here.api.token({ group, scopes: ["read"] });
  const context = here.again({}, { apiToken, organizationId: here.api.organizationId });
  const names = ["a", "b", "c", "d", "e", "f"];
  for (const name of names) await planCreate(database, { name, group }, context);
  await planCreate(databaseConfiguration, { database: UNKNOWN, blockReads: true }, context);
  const facts = (name: string) => ({
    attempt: operationImpossible({ operation: "create", object: `database "${name}"` }),
    reason: scopesMissing({ scopes: ["db:create"] }),
  });
  expect(here.said).toEqual([
    ...["a", "b", "c"].map((name) => tokenLacksAccess(facts(name))),
    tokenLacksAccess({ ...facts("d"), isLast: true }),
    expect.stringContaining(scopesMissing({ scopes: ["db:configure"] })),
  ]);
  here.said.length = 0;
  const nextRun = here.again({}, { apiToken, organizationId: here.api.organizationId });
  await planCreate(database, { name: "e", group }, nextRun);
  expect(here.said).toEqual([tokenLacksAccess(facts("e"))]);
});
