import { dynamicExportsText } from "../kit/dynamic/exports";
import { examplesAreStale } from "./examples";
import { hashOf, textOf } from "./generated-file";
import { INDEX_PAGE, indexPageText } from "./index-page";
import { operationProblems } from "./operations-page";
import { staleReferencePages } from "./reference-pages";
import { changeProblems, changesIn } from "./release/changelog";
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
  changes: () => report(changeProblems(changesIn(root))),
  build: () => run("tsx", ["tools/build.ts"]),
  types: () => run("tsc", ["-b"]),
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
  console.log("\nAll checks passed.");
}

void main();
