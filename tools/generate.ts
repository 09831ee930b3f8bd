import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DYNAMIC_EXPORTS_FILE, dynamicExportsText } from "./dynamic-exports";
import { writeReferencePages } from "./reference-pages";
import { hashOf, SCHEMA_FILE, SDK_FOLDER, SDK_HASH_FILE, schemaText, textOf } from "./schema";

/** Writes what is generated and committed: from the resources the schema, from the schema both SDKs (the plugin's needs Go). */
function main(): void {
  const schema = schemaText();
  writeFileSync(SCHEMA_FILE, schema);
  writeFileSync(DYNAMIC_EXPORTS_FILE, dynamicExportsText());
  writeReferencePages();
  if (textOf(SDK_HASH_FILE) === hashOf(schema)) {
    console.log("The schema has not changed, so the SDK has not either.");
    return;
  }
  // Beside the present one, which stays when this fails.
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
