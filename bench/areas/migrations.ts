import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { DatabaseMigrations } from "pulumi-dbplatform";
import { TOOLS } from "../../test/clients/tools";
import { root } from "../../tools/run";
import type { Bench } from "../bench";
import { MeasuredPlatform } from "../engine/measured-platform";
import { MeasuredStack } from "../engine/measured-stack";
import { Figures } from "../figures";
import { AT_ONCE } from "../goals";
import type { Measurement } from "../measurement";

const COUNT = 1_000;

/** The groups whose databases are migrated: one by `pulumi up`, one by a loop of drizzle-orm's migrator. */
const [OURS, FLOOR] = ["ours", "floor"];

const run = promisify(execFile);

/** Measures how long it takes to apply one migration to all databases of a group, against drizzle-orm's migrator. */
export async function migrations({ quick, rounds, folder, bin, plugins }: Bench): Promise<readonly Measurement[]> {
  const figures = new Figures();
  if (quick) return [];
  const work = mkdtempSync(join(folder, "migrations-"));
  const platform = await MeasuredPlatform.start("--sql", "--seed", writeSeed(work));
  const drizzle = drizzleFolder(work);
  drizzle.add("CREATE TABLE items (id integer PRIMARY KEY, name text)");
  const migrateByLoop = await loop(work, drizzle.folder, platform);
  const stack = await MeasuredStack.create({
    folder: work,
    bin,
    plugin: plugins.ours,
    environment: platform.environment,
    checkpoints: true,
    program: async () => {
      new DatabaseMigrations("schema", { group: OURS, folder: drizzle.folder, parallel: AT_ONCE });
    },
  });
  try {
    await stack.up();
    await migrateByLoop();
    for (let round = 1; round <= rounds; round++) {
      console.error(`round ${round} of ${rounds}: a migration of ${COUNT} databases`);
      drizzle.add(`ALTER TABLE items ADD note_${round} text`);
      // The order alternates, so that neither benefits if the machine becomes slower or faster.
      const before = round % 2 === 0 ? await seconds(migrateByLoop) : undefined;
      const { seconds: ours } = await stack.up();
      const floor = before ?? (await seconds(migrateByLoop));
      figures.add("a migration of 1,000 databases, against drizzle-orm", { ours, floor });
    }
  } finally {
    stack.remove();
    await platform.end();
  }
  return figures.measurements();
}

/** Writes a seed with as many databases in each of the two groups. */
function writeSeed(folder: string): string {
  const seed = {
    users: [{ username: "ada" }],
    organizations: [
      {
        slug: "acme",
        members: [{ username: "ada", role: "owner" }],
        groups: [{ name: OURS }, { name: FLOOR }],
        databases: [OURS, FLOOR].flatMap((group) =>
          Array.from({ length: COUNT }, (_, number) => ({ name: `${group}-${number}`, group })),
        ),
      },
    ],
  };
  const path = join(folder, "seed.yaml");
  writeFileSync(path, JSON.stringify(seed));
  return path;
}

/** A folder to which migrations are added as `drizzle-kit generate` writes them. */
function drizzleFolder(parent: string) {
  const folder = join(parent, "drizzle");
  mkdirSync(join(folder, "meta"), { recursive: true });
  const entries: object[] = [];
  return {
    folder,
    add(statement: string): void {
      const idx = entries.length;
      const tag = `${String(idx).padStart(4, "0")}_bench`;
      entries.push({ idx, version: "6", when: 1_790_000_000_000 + idx, tag, breakpoints: true });
      writeFileSync(join(folder, `${tag}.sql`), statement);
      writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ version: "7", dialect: "turso", entries }));
    },
  };
}

/** Installs drizzle-orm, and returns a function that migrates the databases with it in a process of its own. */
async function loop(parent: string, migrations: string, { ready }: MeasuredPlatform): Promise<() => Promise<unknown>> {
  const folder = join(parent, "loop");
  cpSync(join(root, "bench/migrations"), folder, { recursive: true });
  const dependencies = TOOLS.find(({ name }) => name === "Drizzle")?.packages;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "loop", private: true, dependencies }));
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
  const env = {
    PATH: process.env.PATH,
    ORGANIZATION_URL: `${ready.url}/v1/organizations/${ready.organization}`,
    GROUP: FLOOR,
    API_TOKEN: ready.apiToken,
    SQL: ready.sql,
    MIGRATIONS: migrations,
  };
  return () => run(process.execPath, ["loop.mjs"], { cwd: folder, env });
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}
