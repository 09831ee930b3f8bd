import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { vectorIndexElsewhere } from "../../platform/reference/sql/engine/messages";
import { sqlWorld } from "../reference/sql/sql";

const run = promisify(execFile);

const PACKAGES = [
  "@libsql/client@0.18.0",
  "@libsql/knex-libsql@0.1.0",
  "@libsql/kysely-libsql@0.4.1",
  "drizzle-orm@0.45.4",
  "knex@3.3.0",
  "kysely@0.29.9",
];

const PYTHON_PACKAGES = ["libsql-experimental==0.0.55", "sqlalchemy==2.1.9", "sqlalchemy-libsql==0.2.0"];

/** What each program reads after one order was committed, and its deletion was rolled back. */
const READ = {
  returned: [1, 2],
  joined: { name: "ada", total: "9007199254740993", picture: "00ff", note: null },
};

let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "dbplatform-builders-"));
  await writeFile(join(project, "package.json"), '{"name": "user", "private": true}');
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES], { cwd: project });
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Runs a program on a new database, and returns what the program prints. */
async function play(command: string, program: string): Promise<unknown> {
  const { database } = await sqlWorld();
  const { url, token } = await database("orders");
  await copyFile(join(__dirname, "query-builders", program), join(project, program));
  const env = { ...process.env, DATABASE_URL: url, DATABASE_TOKEN: token };
  const { stdout } = await run(command, [program], { cwd: project, env });
  return JSON.parse(stdout);
}

test.each([
  ["Drizzle", "drizzle.mjs"],
  ["Kysely", "kysely.mjs"],
  ["knex", "knex.mjs"],
])("%s migrates a database, commits, rolls back, and shows the code of a violated constraint", async (_, program) => {
  const refused = { duplicate: "SQLITE_CONSTRAINT", orphan: "SQLITE_CONSTRAINT" };
  expect(await play(process.execPath, program)).toEqual({ ...READ, ...refused });
});

test("Drizzle stores vectors, orders rows by their distance, and shows why there is no vector index", async () => {
  expect(await play(process.execPath, "drizzle-vectors.mjs")).toEqual({
    nearest: [
      { id: 3, title: "Blade Runner", embedding: [0.25, 0.75, 0] },
      { id: 2, title: "Gladiator", embedding: [0, 1, 0] },
    ],
    code: "BLOCKED",
    message: expect.stringContaining(vectorIndexElsewhere({ name: "libsql_vector_idx" })),
  });
});

test("SQLAlchemy creates tables, commits, rolls back, and shows which constraint is violated", async (context) => {
  const python = join(project, "venv/bin/python");
  try {
    await run("python3", ["-m", "venv", "venv"], { cwd: project });
    await run(python, ["-m", "pip", "install", "--quiet", ...PYTHON_PACKAGES], { cwd: project });
  } catch (missing) {
    return context.skip(`SQLAlchemy cannot be installed on this machine: ${missing}`);
  }
  expect(await play(python, "sqlalchemy_orders.py")).toEqual({
    ...READ,
    joined: { ...READ.joined, total: String(2n ** 53n) },
    schemas: ["main"],
    duplicate: expect.stringMatching(/UNIQUE constraint failed: customers.name.*SQLITE_CONSTRAINT/),
    orphan: expect.stringMatching(/FOREIGN KEY constraint failed.*SQLITE_CONSTRAINT/),
  });
});
