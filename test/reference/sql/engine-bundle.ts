import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import type { TestProject } from "vitest/node";
import { BUNDLED } from "../../../tools/bundling";

/**
 * Bundles the program of SQL processes once for all tests, because loading its source files takes most of the time that
 * a process needs to start. In watch mode the processes run from source, because the bundle would become outdated.
 */
export default function setUp({ config }: TestProject): (() => void) | undefined {
  // The set-up runs for each project.
  if (config.watch || process.env.SQL_ENGINE_BUNDLE !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "sql-engine-"));
  const outfile = join(folder, "reference-sql-engine.js");
  buildSync({ ...BUNDLED, entryPoints: ["platform/reference/sql/engine/perform-jobs.ts"], outfile });
  process.env.SQL_ENGINE_BUNDLE = outfile;
  return () => rmSync(folder, { recursive: true });
}
