import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../bench";
import { Figures } from "../figures";
import type { Area } from "../measurement";
import { idle } from "../reference/idle";
import { manyDatabases } from "../reference/many-databases";
import type { Programs } from "../reference/programs";
import { snapshots } from "../reference/snapshots";
import { sqlStarts } from "../reference/sql-starts";
import { starts } from "../reference/starts";

/** Measure the reference API by itself. */
export const reference: readonly Area<Bench>[] = [starts, sqlStarts, idle, manyDatabases].map(area);

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
