import { expect, test } from "vitest";
import type { Operation } from "../../platform/reference/faults/faults";
import { engineFixture } from "../engine/engine-fixture";
import { operationsOf } from "../engine/journal";
import type { DeclaredStack } from "../fake-engine/declared-stack";
import { fakeStack } from "../fake-engine/fake-engine";
import { type Exchange, faultyWire } from "../faulty-wire";
import { aDatabaseNamed, aGroup, type Declarations, idOf, TENANTS } from "../stories/declarations";
import { programOf } from "./scenario-fixture";

const organizationSlug = "acme";

/** Opens a stack. `before` is called with each request that makes or changes something, before it is passed on. */
async function stackOnWire(before: (exchange: Exchange & { operation: Operation }) => unknown) {
  const here = await engineFixture();
  const wire = await faultyWire(here.api.url);
  wire.trouble = ({ operation, method }) =>
    operation && method !== "GET"
      ? async (exchange) => {
          await before({ ...exchange, operation });
          const { status, text } = await exchange.forward();
          exchange.send(status, text);
        }
      : undefined;
  return { here, stack: fakeStack({ api: here.api, baseUrl: wire.url }) };
}

async function upIn(stack: DeclaredStack, declarations: Declarations) {
  const ended = await stack.run(programOf(declarations), { preview: false });
  expect(ended.failure).toBeUndefined();
  return ended;
}

test("looks up a group only before the first of its changes", async () => {
  const here = await engineFixture();
  const stack = fakeStack({ api: here.api });
  await upIn(stack, { tenants: aGroup(TENANTS) });
  const asked = operationsOf(here.api);
  await upIn(stack, { tenants: aGroup({ ...TENANTS, locations: ["aws-eu-west-1"], deleteProtection: true }) });
  expect(asked().slice(-2)).toEqual(["addGroupLocation", "updateGroupConfiguration"]);
});

test("follows a group that is renamed outside Pulumi between its look-up and a request", async () => {
  let name = "tenants";
  const renamedBefore = new Set<Operation>();
  const { here, stack } = await stackOnWire(async ({ operation }) => {
    if (!renamedBefore.delete(operation)) return;
    const groupName = name;
    name = `before-${operation.toLowerCase()}`;
    await here.outside.renameGroup({ organizationSlug, groupName, body: { name } });
  });
  await upIn(stack, { tenants: aGroup(TENANTS) });
  renamedBefore.add("addGroupLocation").add("createDatabase");
  const locations = ["aws-eu-west-1"];
  await upIn(stack, { tenants: aGroup({ ...TENANTS, locations }), orders: aDatabaseNamed("orders", idOf("tenants")) });
  const managed = await stack.managed();
  const groupId = managed.get("tenants")?.id;
  expect(managed.get("orders")?.outputs).toMatchObject({ groupId, groupName: "before-createdatabase" });
  const { groups } = await here.outside.listGroups({ organizationSlug });
  expect(groups.find(({ uuid }) => uuid === groupId)).toMatchObject({
    name,
    locations: expect.arrayContaining([TENANTS.location, ...locations]),
  });
});

test("creates groups with their extensions, and warns that a change of these has no effect", async () => {
  const sent: Record<string, unknown> = {};
  const { here, stack } = await stackOnWire(({ body }) => {
    const { name, extensions } = JSON.parse(body);
    sent[name] = extensions;
  });
  const declared: Record<string, string[] | undefined> = {
    two: ["vector", "uuid"],
    every: ["all"],
    none: [],
    omitted: undefined,
  };
  const extended = (changed: typeof declared = {}): Declarations =>
    Object.fromEntries(
      Object.entries({ ...declared, ...changed }).map(([name, extensions]) => [
        name,
        aGroup({ ...TENANTS, name, ...(extensions && { extensions }) }),
      ]),
    );
  await upIn(stack, extended());
  expect(sent).toEqual({ ...declared, every: "all" });
  const kept = async () =>
    Object.fromEntries([...(await stack.managed())].map(([name, { outputs }]) => [name, outputs.extensions]));
  expect(await kept()).toEqual(declared);

  here.takeWrites();
  expect(await upIn(stack, extended({ two: ["uuid", "vector"] }))).toEqual({ changes: [], said: [] });
  const { changes, said } = await upIn(stack, extended({ two: ["all"] }));
  expect({ changes, writes: here.takeWrites() }).toEqual({ changes: [], writes: [] });
  expect(said).toEqual([expect.stringMatching(/`extensions` has no effect on group "two"/)]);
});
