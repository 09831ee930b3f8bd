import { expect, test } from "vitest";
import { createOnlyIgnored } from "../../kit/lifecycle/messages";
import { nameProposer } from "../../kit/lifecycle/naming";
import { check } from "../../kit/steps/check";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { readImported, readManaged } from "../../kit/steps/read";
import { group } from "../../provider/resources/group/group";
import { EXTENSION_BESIDE_ALL, EXTENSIONS_CHANGE_ADVICE } from "../../provider/resources/group/messages";
import { faultyWire } from "../faulty-wire";
import { lifecycleFixture } from "./lifecycle-fixture";

const plain = { name: "tenants", location: "aws-us-east-1" };

/** Starts a platform behind a proxy that records the extensions in each request that creates a group. */
async function recorded() {
  const here = await lifecycleFixture();
  const wire = await faultyWire(here.api.url);
  const sent: unknown[] = [];
  wire.trouble = ({ operation }) =>
    operation === "createGroup"
      ? async ({ body, forward, send }) => {
          sent.push(JSON.parse(body).extensions);
          const { status, text } = await forward();
          send(status, text);
        }
      : undefined;
  return { ...here, sent, context: here.again({}, { baseUrl: wire.url }) };
}

test.each<[string, string[] | undefined, unknown]>([
  ["two extensions", ["vector", "uuid"], ["vector", "uuid"]],
  ["all extensions", ["all"], "all"],
  ["no extension", [], []],
  ["no extensions in the program", undefined, undefined],
])("creates a group with %s, and keeps `extensions` in the state", async (_, extensions, expected) => {
  const { context, sent, again } = await recorded();
  const args = { ...plain, ...(extensions && { extensions }) };
  const { id, state } = await create(group, args, context);
  expect(sent).toEqual([expected]);
  expect(state.extensions).toEqual(extensions);
  expect((await readManaged(group, { id, inputs: args, state }, again()))?.state).toEqual(state);
  expect((await readImported(group, id, again())).inputs).not.toHaveProperty("extensions");
});

test("keeps a group whose extensions change in the program, and warns once that this has no effect", async () => {
  const { context, said } = await recorded();
  const oldInputs = { ...plain, extensions: ["vector", "uuid"] };
  const { id, state } = await create(group, oldInputs, context);
  const against = (extensions: string[]) =>
    diff(group, { id, oldInputs, state, news: { ...plain, extensions } }, context);
  expect((await against(["uuid", "vector"])).differences).toEqual([]);
  expect(said).toEqual([]);
  expect((await against(["all"])).differences).toEqual([]);
  expect(said).toEqual([
    createOnlyIgnored({ property: "extensions", title: 'group "tenants"', advice: EXTENSIONS_CHANGE_ADVICE }),
  ]);
});

test.each<[unknown, string]>([
  [["vectors"], "extensions[0]: must be "],
  ["all", "extensions: must be a list, not a string"],
  [["all", "vector"], `extensions[1]: ${EXTENSION_BESIDE_ALL}`],
])("rejects `extensions: %j` with an error that names the property", (extensions, expected) => {
  const { failures } = check(group, {
    news: { ...plain, extensions },
    olds: {},
    account: "acme",
    propose: nameProposer({ logicalName: "tenants", randomSeed: new Uint8Array(32) }),
  });
  expect(failures.map(({ property, reason }) => `${property}: ${reason}`)).toEqual([expect.stringContaining(expected)]);
});
