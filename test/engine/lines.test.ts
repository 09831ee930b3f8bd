// @module-tag more
// @module-tag clear-messages

import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { engineFixture } from "./engine-fixture";

const GROUPS = 40;
const DATABASES_EACH = 4;

/** Removes the lines that only show that the engine is still busy. */
const shown = ({ output }: { output: string }): string => output.replace(/^@.*\n/gm, "");
const lines = (output: string): number => output.split("\n").length - 1;

test("restores a configured database in few lines, with one warning and one word of success", async () => {
  const here = await engineFixture();
  const stack = await here.stack(async () => {
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: "default" });
    new dbplatform.DatabaseConfiguration("orders", { database: dbId, blockWrites: true });
  });
  await stack.deploy();
  await here.deleteDatabase((await here.databases()).orders as string);

  const preview = shown(await stack.preview());
  const up = shown(await stack.up());
  const warning =
    /^ {4}warning: Database "orders" was deleted by ada .* and can be restored with its data until .*UTC\.$/gm;
  for (const output of [preview, up]) expect(output.match(warning)).toHaveLength(1);
  expect(up).toMatch(/ orders updated .*; Restored database "orders" with its data\.$/m);
  expect(lines(preview)).toBeLessThanOrEqual(20);
  expect(lines(preview) + lines(up)).toBeLessThanOrEqual(45);
  expect(preview.length).toBeLessThanOrEqual(1_400);
  expect(preview.length + up.length).toBeLessThanOrEqual(3_100);
});

test("names 160 databases that come back with their groups once, at the groups", async () => {
  const here = await engineFixture();
  const names = Array.from({ length: GROUPS }, (_, index) => `group-${index}`);
  const stack = await here.stack(async () => {
    for (const name of names) {
      const group = new dbplatform.Group(name, { name, location: "aws-us-east-1" }).id;
      for (let index = 0; index < DATABASES_EACH; index++)
        new dbplatform.Database(`${name}-${index}`, { name: `${name}-${index}`, group });
    }
  });
  await stack.deploy();
  const before = await here.databases();
  for (const groupName of names) await here.outside.deleteGroup({ organizationSlug: here.api.organization, groupName });

  const preview = shown(await stack.preview());
  const up = shown(await stack.up());
  for (const [name, dbId] of Object.entries(before))
    for (const output of [preview, up]) expect(output.split(`"${name}" (${dbId})`)).toHaveLength(2);
  expect(lines(preview)).toBeLessThanOrEqual(900);
  expect(lines(up)).toBeLessThanOrEqual(1_130);
  expect(await here.databases()).toEqual(before);
});
