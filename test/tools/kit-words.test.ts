import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";

/** The objects, the names and the settings of the platform whose provider is in this repository. */
const OF_THIS_PLATFORM = /organi[sz]ation|database|group|turso|dbplatform|baseurl|apitoken/i;

test("the kit contains no word of this platform", () => {
  const files = globSync("kit/**/*.ts", { cwd: root });
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (OF_THIS_PLATFORM.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
