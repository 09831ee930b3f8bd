import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DYNAMIC_EXPORTS_FILE, dynamicExportsText } from "./dynamic-exports";
import { PROMISES_FILE, promisesText } from "./promises";
import { writeReferencePages } from "./reference-pages";
import { root } from "./run";
import { hashOf, SCHEMA_FILE, SDK_FOLDER, SDK_HASH_FILE, schemaText, textOf } from "./schema";

/** Writes all generated files: the schema, both SDKs, the reference pages and the list of promises. The plugin's SDK needs Go. */
function main(): void {
  const schema = schemaText();
  writeFileSync(SCHEMA_FILE, schema);
  writeFileSync(DYNAMIC_EXPORTS_FILE, dynamicExportsText());
  writeReferencePages();
  writeFileSync(join(root, PROMISES_FILE), promisesText(root));
  if (textOf(SDK_HASH_FILE) === hashOf(schema)) {
    console.log("The schema has not changed, so the SDK has not either.");
    return;
  }
  // Generates into a temporary folder, so that the current SDK stays when the generator fails.
  const folder = mkdtempSync(join(dirname(SDK_FOLDER), ".new-"));
  try {
    execFileSync("go", ["run", "./gensdk", "nodejs", SCHEMA_FILE, join(folder, "sdk")], {
      cwd: join(__dirname, "pulumi-cli"),
      stdio: "inherit",
      env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local" },
    });
    rmSync(SDK_FOLDER, { recursive: true, force: true });
    renameSync(join(folder, "sdk"), SDK_FOLDER);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeFileSync(SDK_HASH_FILE, hashOf(schema));
}

main();
