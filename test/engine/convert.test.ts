import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { linkModules } from "../../tools/project";
import { root } from "../../tools/run";
import { full } from "../full";
import { engineFixture } from "./engine-fixture";

const CONVERTER = "github.com/pulumi/pulumi-yaml/cmd/pulumi-converter-yaml";

/** Only a downloaded CLI has the converter, so it is built here. */
function builtConverter(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const options = { cwd: join(root, "tools/pulumi-cli"), env: { ...process.env, CGO_ENABLED: "0" } };
  execFileSync("go", ["build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-o", bin, CONVERTER], options);
  return bin;
}

test.runIf(full)("`pulumi convert` reads a YAML program by the plugin's schema, and finds its mistakes", async () => {
  const here = await engineFixture();
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-convert-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  cpSync(join(root, "examples/yaml"), project, { recursive: true });
  linkModules(project);
  const stack = await here.stack({ folder: project });
  stack.setEnvironment({ PATH: [builtConverter(folder), stack.environment.PATH].join(delimiter) });
  const convert = (language: string, ...more: string[]) =>
    stack.cli("convert", "--from", "yaml", "--language", language, "--out", join(folder, language), ...more);

  // Every generator of Pulumi starts from PCL.
  expect(await convert("pcl", "--strict")).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, "pcl/program.pp"), "utf8")).toContain('"dbplatform:index:Database" {');
  expect(await convert("yaml", "--strict", "--generate-only")).toMatchObject({ code: 0 });
  const { resources } = parse(readFileSync(join(folder, "yaml/Main.yaml"), "utf8"));
  const main = join(project, "Pulumi.yaml");
  const program = parse(readFileSync(main, "utf8"));
  expect(Object.keys(resources)).toEqual(Object.keys(program.resources));

  const [declared] = Object.values<{ properties: object }>(program.resources);
  Object.assign(declared?.properties ?? {}, { grupe: "default" });
  writeFileSync(main, stringify(program));
  const mistaken = await convert("pcl", "--strict");
  expect(mistaken.code).not.toBe(0);
  expect(mistaken.output).toContain("grupe");
});
