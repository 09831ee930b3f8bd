import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { linkModules } from "../../tools/project";
import { root } from "../../tools/run";
import { full } from "../full";
import { engineFixture } from "./engine-fixture";

const CONVERTER = "github.com/pulumi/pulumi-yaml/cmd/pulumi-converter-yaml";

/** Builds the converter from its Go module, because a CLI built from source does not include the converter. */
function builtConverter(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const options = { cwd: join(root, "tools/pulumi-cli"), env: { ...process.env, CGO_ENABLED: "0" } };
  execFileSync("go", ["build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-o", bin, CONVERTER], options);
  return bin;
}

test.runIf(full)("`pulumi convert` uses the plugin's schema to read a YAML program and find its mistakes", async () => {
  const here = await engineFixture();
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-convert-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  cpSync(join(root, "examples/yaml"), project, { recursive: true });
  linkModules(project);
  const stack = await here.stack({ folder: project });
  stack.setEnvironment({ PATH: [builtConverter(folder), stack.environment.PATH].join(delimiter) });
  const out = (name: string) => join(folder, name);
  const convert = (language: string, name: string, ...more: string[]) => {
    // Links the modules, because Pulumi searches for the plugin starting from the output folder.
    linkModules(out(name));
    return stack.cli("convert", "--from", "yaml", "--language", language, "--out", out(name), "--strict", ...more);
  };

  // Tests PCL first, because all of Pulumi's code generators take PCL as input.
  expect(await convert("pcl", "pcl")).toMatchObject({ code: 0 });
  expect(readFileSync(join(out("pcl"), "program.pp"), "utf8")).toContain('"dbplatform:index:Database" {');
  expect(await convert("yaml", "yaml", "--generate-only")).toMatchObject({ code: 0 });
  const main = join(project, "Pulumi.yaml");
  const text = readFileSync(main, "utf8");
  const { resources } = parse(readFileSync(join(out("yaml"), "Main.yaml"), "utf8"));
  expect(resources).toEqual(parse(text).resources);

  writeFileSync(main, text.replace("sizeLimit:", "sizeLimits:"));
  const mistaken = await convert("pcl", "mistaken");
  expect(mistaken.code).not.toBe(0);
  expect(mistaken.output).toContain("sizeLimits");
  expect(mistaken.output).toContain("dbplatform:index:DatabaseConfiguration");
});
