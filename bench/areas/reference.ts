import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../bench";
import { Figures } from "../figures";
import type { Area } from "../measurement";
import { sqldAtFull, sqldAtNormal } from "../reference/against-sqld";
import { manyDatabases } from "../reference/many-databases";
import type { Programs } from "../reference/programs";
import { queries } from "../reference/queries";
import { reads } from "../reference/reads";
import { snapshots } from "../reference/snapshots";
import { sqlStarts } from "../reference/sql-starts";
import { starts } from "../reference/starts";
import { writes } from "../reference/writes";

/** Measure the reference API by itself, compared with servers that do less. */
export const reference: readonly Area<Bench>[] = [
  starts,
  reads,
  queries,
  sqldAtFull,
  sqldAtNormal,
  writes,
  manyDatabases,
  sqlStarts,
].map(area);

export const snapshotsOfRows = area(snapshots);

function area(measure: (bench: Bench, programs: Programs, figures: Figures) => Promise<void>): Area<Bench> {
  return async (bench) => {
    console.error(`the reference API: ${measure.name}`);
    const figures = new Figures();
    // A disturbed area is measured again, so each time needs new data.
    const folder = mkdtempSync(join(bench.folder, "data-"));
    await measure({ ...bench, folder }, await bench.referencePrograms(), figures);
    return figures.measurements();
  };
}
