import { join } from "node:path";
import type { Bench } from "../bench";
import { Figures } from "../figures";
import type { Area } from "../measurement";
import { againstSqld } from "../reference/against-sqld";
import { manyDatabases } from "../reference/many-databases";
import { buildPrograms } from "../reference/programs";
import { queries } from "../reference/queries";
import { reads } from "../reference/reads";
import { sqlStarts } from "../reference/sql-starts";
import { starts } from "../reference/starts";
import { writes } from "../reference/writes";

/** Measure the reference API by itself, compared with servers that do less. */
export const reference: readonly Area<Bench>[] = [
  starts,
  reads,
  queries,
  againstSqld,
  writes,
  manyDatabases,
  sqlStarts,
].map((measure) => async (bench) => {
  console.error(`the reference API: ${measure.name}`);
  const figures = new Figures();
  await measure(bench, await buildPrograms(join(bench.folder, "reference")), figures);
  return figures.measurements();
});
