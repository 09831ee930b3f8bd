import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packageSchema } from "../../provider/schema";
import { isolated, makeFolders } from "../../tools/isolation";
import { Pulumi } from "../engine/cli";

function schemaCheck(schema: object): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-schema-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  makeFolders(folder);
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(schema));
  const env = { ...process.env, HOME: folder, ...isolated(folder) };
  return new Promise((resolve) => {
    execFile(join(Pulumi.bin, "pulumi"), ["schema", "check", file], { env, cwd: folder }, (failure, stdout, stderr) =>
      resolve({ code: Number(failure?.code ?? 0), output: stdout + stderr }),
    );
  });
}

test("Pulumi accepts the package schema", async () => {
  const { code, output } = await schemaCheck(packageSchema());
  expect(output).not.toMatch(/error/i);
  expect(code).toBe(0);
});

test.each([
  ["a property without a type", { properties: { a: {} } }],
  ["a property of a type that does not exist", { properties: { a: { $ref: "#/types/dbplatform:index:Nothing" } } }],
])("Pulumi refuses a schema with %s", async (_, resource) => {
  const schema = packageSchema();
  const { code, output } = await schemaCheck({
    ...schema,
    resources: { ...(schema.resources as object), "dbplatform:index:Wrong": resource },
  });
  expect(output).toContain("dbplatform:index:Wrong");
  expect(code).not.toBe(0);
});
