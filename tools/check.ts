import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dynamicExportsText } from "../kit/dynamic/exports";
import { decisionProblems } from "./decisions";
import { examplesAreStale } from "./examples";
import { hashOf, textOf } from "./generated-file";
import { INDEX_PAGE, indexPageText } from "./index-page";
import { operationProblems } from "./operations-page";
import { staleReferencePages } from "./reference-pages";
import { loadedBy, PLUGIN } from "./release/archives";
import { changeProblems, changesIn } from "./release/changelog";
import { packPackage } from "./release/package";
import { root, run } from "./run";
import {
  DYNAMIC_EXPORTS_FILE,
  schema as packageSchema,
  SCHEMA_FILE,
  SDK_HASH_FILE,
  schemaText,
  schemaTextWithoutExamples,
} from "./schema";
import { SKILL_FILE, skillText } from "./skill";
import { unprovenSections } from "./specification";

/** The static checks by name. Checks whose problems are quick to fix run first. */
const CHECKS: Record<string, () => Promise<number> | number> = {
  "format and lint": () => run("biome", ["ci", "--error-on-warnings"]),
  "generated files": generatedFiles,
  "sections of the specification": () => report(unprovenSections()),
  "operations of the platform": () => report(operationProblems()),
  decisions: () => report(decisionProblems(root)),
  changes: () => report(changeProblems(changesIn(root))),
  build: () => run("tsx", ["tools/build.ts"]),
  types: checkTypes,
  "types as published": () => run("tsc", ["-p", "tsconfig.published.json"]),
  borders: () =>
    run("depcruise", [
      "--config",
      ".dependency-cruiser.cjs",
      "kit",
      "platform",
      "provider",
      "sdk",
      "tools",
      "test",
      "bench",
    ]),
  "dead code": () => run("knip", []),
};

function generatedFiles(): number {
  const schema = schemaText();
  const stale = [
    ...(examplesAreStale(schemaTextWithoutExamples())
      ? ["provider/examples.json was made from other examples or another schema"]
      : []),
    ...(textOf(SCHEMA_FILE) === schema ? [] : ["schema.json is not what the resources say"]),
    ...(textOf(DYNAMIC_EXPORTS_FILE) === dynamicExportsText(packageSchema())
      ? []
      : ["sdk/dynamic-exports.ts was made from another schema"]),
    ...staleReferencePages().map((file) => `${file} is not what the resources and functions say`),
    ...(textOf(SKILL_FILE) === skillText() ? [] : ["skills/dbplatform/SKILL.md does not show docs/agents.md"]),
    ...(textOf(INDEX_PAGE) === indexPageText() ? [] : ["docs/_index.md does not show docs/_index.yaml"]),
    ...(textOf(SDK_HASH_FILE) === hashOf(schema) ? [] : ["sdk/nodejs was made from another schema"]),
  ];
  return report(stale.map((what) => `${what}: run \`npm run generate\``));
}

const TYPES_FILE = join(root, "node_modules/.cache/pulumi-dbplatform/sources.tsbuildinfo");

/** The figures of the last release, which `--record` writes. */
const FIGURES_FILE = join(root, "tools/figures.json");

const isRecording = process.argv.includes("--record");

/** How long a type check from scratch has taken, in seconds. `undefined` after an incremental one. */
let typeCheckSeconds: number | undefined;

async function checkTypes(): Promise<number> {
  const isWhole = isRecording || !existsSync(TYPES_FILE);
  const begun = performance.now();
  const code = await run("tsc", ["-b", ...(isRecording ? ["--force"] : [])]);
  if (isWhole) typeCheckSeconds = Math.round((performance.now() - begun) / 1000);
  return code;
}

/** Prints the figures that should not grow unnoticed, beside those of the last release. */
function printFigures(): void {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-figures-"));
  const kilobytesOf = (...files: readonly string[]) =>
    Math.round(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1000);
  const figures = {
    version: JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version,
    typeCheckSeconds,
    packedKilobytes: kilobytesOf(packPackage(root, folder)),
    pluginKilobytes: kilobytesOf(...[...loadedBy(root, PLUGIN)].map((file) => join(root, file))),
  };
  rmSync(folder, { recursive: true });
  if (isRecording) writeFileSync(FIGURES_FILE, `${JSON.stringify(figures, null, 2)}\n`);
  const last = JSON.parse(readFileSync(FIGURES_FILE, "utf8"));
  const typeCheck = typeCheckSeconds === undefined ? "incremental" : `${typeCheckSeconds} s`;
  console.log(`
Type check   ${typeCheck} (${last.version}: ${last.typeCheckSeconds} s)
npm package  ${figures.packedKilobytes} kB (${last.packedKilobytes} kB)
Plugin       ${figures.pluginKilobytes} kB (${last.pluginKilobytes} kB)`);
}

function report(problems: readonly string[]): number {
  for (const problem of problems) console.error(problem);
  return problems.length;
}

async function main(): Promise<void> {
  for (const [name, check] of Object.entries(CHECKS)) {
    console.log(`\n── ${name}`);
    if ((await check()) === 0) continue;
    console.error(`\nThe check "${name}" failed.`);
    process.exitCode = 1;
    return;
  }
  printFigures();
  console.log("\nAll checks passed.");
}

void main();
