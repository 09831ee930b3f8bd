import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isolated, makeFolders } from "../../tools/isolation";
import { root } from "../../tools/run";
import { schema as packageSchema, schemaText } from "../../tools/schema";
import { Pulumi } from "../engine/cli";

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-schema-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  makeFolders(folder);
  return folder;
}

/** Runs the CLI with its own home folder. */
function pulumi(folder: string, ...args: string[]): Promise<Run> {
  const env = { ...process.env, HOME: folder, ...isolated(folder) };
  return new Promise((resolve) => {
    execFile(join(Pulumi.bin, "pulumi"), args, { env, cwd: folder }, (failure, stdout, stderr) =>
      resolve({ code: Number(failure?.code ?? 0), stdout, stderr }),
    );
  });
}

/** Runs `pulumi schema check` on a package schema. */
function schemaCheck(schema: string): Promise<Run> {
  const folder = emptyFolder();
  const file = join(folder, "schema.json");
  writeFileSync(file, schema);
  return pulumi(folder, "schema", "check", file);
}

/** Fields of the schema that only later versions of Pulumi know. */
const LATER = ["configurationDocsUrl", "validateCredentialsOnNew"];

/** Parses a schema and drops what Pulumi omits: empty arrays and objects, and unknown fields. */
const asPulumiReads = (schema: string): unknown =>
  JSON.parse(schema, (key, value) =>
    LATER.includes(key) || (typeof value === "object" && Object.keys(value).length === 0) ? undefined : value,
  );

test("Pulumi accepts the package schema with its examples, without a warning", async () => {
  expect(await schemaCheck(schemaText())).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("Pulumi gets the schema with its examples from the plugin, without a warning", async () => {
  const plugin = join(root, "pulumi-resource-dbplatform");
  const { code, stdout, stderr } = await pulumi(emptyFolder(), "package", "get-schema", plugin);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(asPulumiReads(stdout)).toEqual(asPulumiReads(schemaText()));
});

test.each([
  ["an untyped property", { properties: { a: {} } }],
  ["a property of an unknown type", { properties: { a: { $ref: "#/types/dbplatform:index:Nothing" } } }],
])("Pulumi rejects a schema with %s", async (_, resource) => {
  const schema = packageSchema();
  const resources = { ...(schema.resources as object), "dbplatform:index:Wrong": resource };
  const { code, stdout, stderr } = await schemaCheck(JSON.stringify({ ...schema, resources }));
  expect(stdout + stderr).toContain("dbplatform:index:Wrong");
  expect(code).not.toBe(0);
});
