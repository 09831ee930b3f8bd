import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";

const { name, pulumi } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

// `sst add <name>` tries these prefixes in this order, and takes the first package with a field `pulumi`
// (https://github.com/sst/sst/blob/dev/pkg/project/install.go).
test("SST finds the package as `dbplatform`, and programs as a variable of this name", () => {
  const prefixes = ["@sst-provider/", "@pulumi/", "@pulumiverse/", "pulumi-", "@", ""];
  expect(prefixes.map((prefix) => prefix + pulumi.name)).toContain(name);
  expect(readFileSync(join(root, "docs/moving.md"), "utf8")).toContain(`sst add ${pulumi.name}`);
  expect(pulumi.name).toMatch(/^[a-z]\w*$/);
  expect(readFileSync(join(root, "sdk/nodejs/index.ts"), "utf8")).toContain("export { ProviderArgs }");
});
