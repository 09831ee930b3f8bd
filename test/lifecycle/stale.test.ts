// @module-tag no-database-is-lost
// @module-tag failures-and-interruptions

import { expect, test } from "vitest";
import { messageOf } from "../../kit/refusal";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { readManaged } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { lifecycleFixture } from "./lifecycle-fixture";
import { stories } from "./stories";
import { type Attack, cleanRun, storyPlatform, under } from "./story-fixture";

/** Makes reads stale: until `heal` is called, no read shows a later write. */
const stale: Attack["begin"] = ({ here }) => here.api.fault({ operation: "*", stale: true, times: 10_000 });

const lateness: readonly Attack[] = [
  { title: "what the step itself has done is seen late", lies: false, begin: stale },
  { title: "what happened outside is seen late", lies: false, isEarly: true, begin: stale },
];

test.each(Object.entries(stories))("%s recovers from stale reads without recording a wrong state", async (_, story) => {
  const on = await storyPlatform();
  const clean = await cleanRun(story, on);
  const problems: string[] = [];
  for (const attack of lateness)
    await under(attack, story, { clean, on }).catch((problem: unknown) =>
      problems.push(`${attack.title}: ${messageOf(problem)}`),
    );
  expect(problems).toEqual([]);
});

test("keeps a deleted database in the state while reads are stale, and removes it in the next run", async () => {
  const here = await lifecycleFixture();
  const args = { name: "orders", group: "default" };
  const { id, state } = await create(database, args, here.context);
  const rule = here.api.fault({ operation: "*", stale: true, times: 10_000 });
  await remove(database, { id, state }, here.again());
  const managed = { id, inputs: args, state };
  expect((await readManaged(database, managed, here.again()))?.state).toEqual(state);
  await expect(remove(database, managed, here.again())).rejects.toMatchObject({ kind: "absent" });
  here.api.removeFault(rule);
  expect((await readManaged(database, managed, here.again()))?.state).toHaveProperty("deletedAt");
  await remove(database, managed, here.again());
});

test("ignores a list of databases that was read while the same process deleted one of them", async () => {
  const { here, wire, open } = await storyPlatform();
  const args = { name: "orders", group: "default" };
  const { id, state } = await create(database, args, here.again());
  const context = open();
  wire.trouble = ({ operation }) =>
    operation === "listDatabases"
      ? async ({ forward, send }) => {
          const { status, text } = await forward();
          await remove(database, { id, state }, context);
          send(status, text);
        }
      : undefined;
  expect((await readManaged(database, { id, inputs: args, state }, context))?.state).toHaveProperty("deletedAt");
  expect(wire.asked.map(({ operation }) => operation)).toContain("listDatabases");
});
