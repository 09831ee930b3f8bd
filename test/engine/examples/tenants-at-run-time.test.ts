// @module-tag more

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nameOf } from "../../../examples/tenants-at-run-time/tenants";
import { root } from "../../../tools/run";
import { engineFixture } from "../engine-fixture";
import { commandsOf } from "./readme";

const NOTES = Array.from({ length: 10 }, (_, index) => `Note ${index + 1}`);

test("adopts and restores the databases that ten processes have created at run time", async () => {
  const here = await engineFixture({ sql: true });
  const scratch = await here.database("scratch");
  const stack = await here.stack("tenants-at-run-time");
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", stack.project]);
  const { code, output } = await stack.shell(`${commandsOf("tenants-at-run-time")}\necho ---; node main.ts hooli`);
  expect(code, output).toBe(0);
  const [story = "", hooli = ""] = output.split("---\n");
  // What the commands wrote to standard error is at the end.
  expect(hooli.match(/^Note .*/gm)?.sort()).toEqual([...NOTES].sort());
  expect(story).toMatch(/^Restored 2 objects\.\n[\s\S]*^Buy milk$/m);

  const databases = await here.databases();
  expect(Object.keys(databases).sort()).toEqual([nameOf("globex"), nameOf("hooli"), "scratch"].sort());
  const listed = (name: string) => story.split("\n").filter((line) => new RegExp(`^Database +${name} `).test(line));
  expect(listed("scratch").map((line) => line.split(/ +/)[2])).toEqual([scratch]);
  for (const id of ["globex", "hooli"]) {
    // The first table is of `adopt`, and the second one of `restore`.
    const lines = listed(nameOf(id)).map((line) => line.split(/ +/)[2]);
    expect(lines).toEqual([databases[nameOf(id)], databases[nameOf(id)]]);
  }
});
