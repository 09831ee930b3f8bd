import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll } from "vitest";
import { ASSETS } from "../../platform/reference/assets";
import { API_COMMAND } from "../../provider/command/main";
import { BUNDLED } from "../../tools/bundling";
import { root } from "../../tools/run";

/**
 * Bundles the command `dbplatform api` for the tests of a file, and returns the path of the bundle. The bundle starts in
 * a tenth of the processor time that loading the source files takes.
 */
export function bundledCommand(): string {
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  buildSync({
    ...BUNDLED,
    entryPoints: {
      "reference-run": "platform/reference/command/run.ts",
      "reference-sql-engine": "platform/reference/sql/engine/perform-jobs.ts",
    },
    outdir: folder,
  });
  mkdirSync(join(folder, "assets"));
  for (const [name, path] of Object.entries(ASSETS)) symlinkSync(join(root, path), join(folder, "assets", name));
  const path = join(folder, "dbplatform.js");
  writeFileSync(path, `require("./reference-run.js").runCommand(${JSON.stringify(API_COMMAND)});\n`);
  return path;
}
