import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, SCHEMA_FILE, SDK_FOLDER, SDK_HASH_FILE, schemaText, textOf } from "./schema";

/** Writes what is generated and committed: the schema from the resources, the SDK from the schema (needs Go). */
function main(): void {
  const schema = schemaText();
  writeFileSync(SCHEMA_FILE, schema);
  if (textOf(SDK_HASH_FILE) === hashOf(schema)) {
    console.log("The schema has not changed, so the SDK has not either.");
    return;
  }
  rmSync(SDK_FOLDER, { recursive: true, force: true });
  execFileSync("go", ["run", "./gensdk", "nodejs", SCHEMA_FILE, SDK_FOLDER], {
    cwd: join(__dirname, "pulumi-cli"),
    stdio: "inherit",
    env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local" },
  });
  writeFileSync(SDK_HASH_FILE, hashOf(schema));
}

main();
