import { join } from "node:path";
import type { Bench } from "../bench";
import { Figures } from "../figures";
import type { Measurement } from "../measurement";
import { manyDatabases } from "../reference/many-databases";
import { buildPrograms } from "../reference/programs";
import { queries } from "../reference/queries";
import { reads } from "../reference/reads";
import { sqlStarts } from "../reference/sql-starts";
import { starts } from "../reference/starts";
import { writes } from "../reference/writes";

export async function reference(bench: Bench): Promise<readonly Measurement[]> {
  console.error("the reference API: starts, reads, queries, writes, and beside many databases");
  const figures = new Figures();
  const programs = await buildPrograms(join(bench.folder, "reference"));
  for (const measure of [starts, reads, queries, writes, manyDatabases, sqlStarts])
    await measure(bench, programs, figures);
  return figures.measurements();
}
