// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { replacementByImport } from "../../kit/lifecycle/messages";
import { IMPORTED, type Properties } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { readImported, readManaged } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import { lifecycleFixture } from "./lifecycle-fixture";

const location = "aws-us-east-1";

/** Creates the groups "one" and "two", and a database in "one". `importTwo` imports group "two" in the next run. */
async function importOfAnotherGroup() {
  const here = await lifecycleFixture();
  const one = await create(group, { name: "one", location }, here.context);
  const two = await create(group, { name: "two", location }, here.context);
  const oldInputs = { name: "inside", group: "one" };
  const inside = await create(database, oldInputs, here.context);
  const context = here.again();
  return {
    one,
    two,
    inside,
    oldInputs,
    context,
    importTwo: () => readImported(group, two.id, context),
    differences: (changes: Properties) =>
      diff(database, { ...inside, oldInputs, news: { ...oldInputs, ...changes } }, context),
  };
}

const spellings: readonly [string, (two: string) => string][] = [
  ["UUID", (two) => two],
  ["uppercase UUID", (two) => two.toUpperCase()],
  ["name", () => "two"],
];

test.each(spellings)(
  "refuses to replace a database if its new group, given by %s, is imported in the same update",
  async (_, spell) => {
    const { one, two, context, importTwo, differences } = await importOfAnotherGroup();
    // Makes the run expect reads that never happen, as in the first update after a switch to
    // `driftDetection: always`.
    context.run.readsFirst = true;
    await importTwo();
    const { answer } = replacementByImport({
      kind: "database",
      moved: { kind: "group", from: one.id, to: two.id },
      property: "group",
    });
    await expect(differences({ group: spell(two.id) })).rejects.toThrow(answer);
  },
);

test("refuses to replace a database if an earlier update imported the database's new group", async () => {
  const { one, two, context, differences } = await importOfAnotherGroup();
  const inputs = { name: "two", location };
  const imported = { id: two.id, state: { ...two.state, [IMPORTED]: true }, oldInputs: inputs, news: inputs };
  await diff(group, imported, context);
  const { answer } = replacementByImport({
    kind: "database",
    moved: { kind: "group", from: one.id, to: two.id },
    property: "group",
  });
  await expect(differences({ group: two.id })).rejects.toThrow(answer);
});

test("replaces a database after a refresh, even if the same update imports its new group", async () => {
  const { inside, oldInputs, context, importTwo, differences } = await importOfAnotherGroup();
  const reads = { ...context, platform: { ...context.platform, urn: "inside" } };
  await readManaged(database, { ...inside, inputs: oldInputs }, reads);
  await importTwo();
  expect((await differences({ group: "two" })).differences).toMatchObject([{ path: "group", replaces: true }]);
});

test("replaces a database when its name changes, even if an imported group has the new name", async () => {
  const { importTwo, differences } = await importOfAnotherGroup();
  await importTwo();
  expect((await differences({ name: "two" })).differences).toMatchObject([{ path: "name", replaces: true }]);
});
