import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dynamicExportsText } from "../kit/dynamic/exports";
import { examplesAreStale, writeExamples } from "./examples";
import { hashOf, textOf } from "./generated-file";
import { compileGensdk, gensdk } from "./gensdk";
import { INDEX_PAGE, indexPageText } from "./index-page";
import { progressOn } from "./pulumi-cli/progress";
import { writeReferencePages } from "./reference-pages";
import {
  DYNAMIC_EXPORTS_FILE,
  schema as packageSchema,
  SCHEMA_FILE,
  SDK_FOLDER,
  SDK_HASH_FILE,
  schemaText,
  schemaTextWithoutExamples,
} from "./schema";
import { SKILL_FILE, skillText } from "./skill";

/**
 * Writes all generated files: the examples, the schema, both SDKs, the reference pages and the skill. Go must be
 * installed if the examples or the schema have changed, because Pulumi's generators are written in Go.
 */
async function main(): Promise<void> {
  const bare = schemaTextWithoutExamples();
  if (examplesAreStale(bare)) {
    await compileGensdk(progressOn(process.stderr));
    writeExamples(bare);
  }
  const schema = schemaText();
  writeFileSync(SCHEMA_FILE, schema);
  writeFileSync(DYNAMIC_EXPORTS_FILE, dynamicExportsText(packageSchema()));
  writeReferencePages();
  writeFileSync(SKILL_FILE, skillText());
  writeFileSync(INDEX_PAGE, indexPageText());
  if (textOf(SDK_HASH_FILE) === hashOf(schema)) {
    console.log("The schema has not changed, so the SDK has not either.");
    return;
  }
  await compileGensdk(progressOn(process.stderr));
  // Generates the SDK in a temporary folder, so that the existing SDK stays intact if the generator fails.
  const folder = mkdtempSync(join(dirname(SDK_FOLDER), ".new-"));
  try {
    process.stdout.write(gensdk(["nodejs", SCHEMA_FILE, join(folder, "sdk")]));
    rmSync(SDK_FOLDER, { recursive: true, force: true });
    renameSync(join(folder, "sdk"), SDK_FOLDER);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeFileSync(SDK_HASH_FILE, hashOf(schema));
}

main().catch((failure) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exitCode = 1;
});
