// @module-tag more

import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dependencies, devDependencies } from "../../../examples/migrations/package.json";
import { root } from "../../../tools/run";
import { npmProject } from "../../clients/drizzle-project";
import { blocksOf } from "../../docs/blocks";
import { engineFixture } from "../engine-fixture";

const drizzle = npmProject({
  "@libsql/client": dependencies["@libsql/client"],
  "drizzle-orm": dependencies["drizzle-orm"],
  "drizzle-kit": devDependencies["drizzle-kit"],
});

test("the commands of the page about migrations bring a Drizzle schema into a database, and a change of it", async (context) => {
  const { folder, missing } = drizzle();
  if (missing !== "") return context.skip(missing);
  const here = await engineFixture({ sql: true });
  const stack = await here.stack("migrations");
  for (const name of ["drizzle-orm", "drizzle-kit", ".bin/drizzle-kit"])
    symlinkSync(join(folder, "node_modules", name), join(stack.project, "node_modules", name));
  const [, query = "", change = ""] = blocksOf("docs/migrations.md").flatMap(({ language, text }) =>
    language === "sh" ? [text] : [],
  );
  const up = "pulumi up --yes --skip-preview";

  // What is checked in is what the schema says.
  expect(await stack.shell("npx drizzle-kit generate")).toMatchObject({
    output: expect.stringContaining("No schema changes"),
  });
  expect(await stack.shell(up)).toMatchObject({ code: 0 });
  expect(await stack.shell(query)).toMatchObject({ code: 0, output: "[ { id: 1, item: 'tea' } ]\n" });
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", stack.project]);

  const schema = join(stack.project, "schema.ts");
  const changed = readFileSync(schema, "utf8").replace("  item:", "  quantity: integer().default(1),\n  item:");
  writeFileSync(schema, changed);
  const preview = await stack.shell(change);
  expect(preview.output).toMatch(/Pending in database "shop-[0-9a-f]{7}" \(.*\): 0001_quantity\./);
  expect(await stack.shell(up)).toMatchObject({ code: 0 });
  const { output } = await stack.shell(query);
  expect(output).toContain("{ id: 2, quantity: 1, item: 'tea' }");
});
