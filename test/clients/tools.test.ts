// @module-tag more

import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { startReferenceApi } from "../../platform/reference/server";
import { vectorIndexElsewhere } from "../../platform/reference/sql/engine/messages";
import { databasesOn } from "../reference/sql/sql";
import { TOOLS, type Tool } from "./tools";

/** What a program reads after it committed "ada", rolled back a deletion, added a column, and inserted "eve". */
const CUSTOMERS = [
  { name: "ada", note: null },
  { name: "eve", note: "second" },
];

/** What a query builder reads after it committed one order, and rolled back the deletion of this order. */
const ORDERS = {
  returned: [1, 2],
  joined: { name: "ada", total: "9007199254740993", picture: "00ff", note: null },
  duplicate: "SQLITE_CONSTRAINT",
  orphan: "SQLITE_CONSTRAINT",
};

const PRINTED: Readonly<Record<string, unknown>> = {
  drizzle: {
    ...ORDERS,
    vectors: {
      nearest: [
        { id: 3, title: "Blade Runner", embedding: [0.25, 0.75, 0] },
        { id: 2, title: "Gladiator", embedding: [0, 1, 0] },
      ],
      code: "BLOCKED",
      message: expect.stringContaining(vectorIndexElsewhere({ name: "libsql_vector_idx" })),
    },
  },
  kysely: ORDERS,
  knex: ORDERS,
  sqlalchemy: {
    ...ORDERS,
    joined: { ...ORDERS.joined, total: String(2n ** 53n) },
    schemas: ["main"],
    duplicate: expect.stringMatching(/UNIQUE constraint failed: customers.name.*SQLITE_CONSTRAINT/),
    orphan: expect.stringMatching(/FOREIGN KEY constraint failed.*SQLITE_CONSTRAINT/),
  },
};

type Run = (program: string, ...args: readonly string[]) => Promise<string>;

interface Language {
  /** Installs packages in the folder of a program, as the users of the language do. */
  install(run: Run, packages: Tool["packages"], folder: string): Promise<void>;
  readonly command: readonly [program: string, ...args: string[]];
}

const LANGUAGES: Readonly<Record<Tool["language"], Language>> = {
  JavaScript: {
    install: async (run, packages, folder) => {
      const project = { name: "user", private: true, type: "module", dependencies: packages };
      await writeFile(join(folder, "package.json"), JSON.stringify(project));
      await run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund");
    },
    command: [process.execPath, "main.mjs"],
  },
  Python: {
    install: async (run, packages) => {
      await run("python3", "-m", "venv", "venv");
      const pinned = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
      await run("venv/bin/python", "-m", "pip", "install", "--quiet", ...pinned);
    },
    command: ["venv/bin/python", "main.py"],
  },
  Go: {
    install: async (run, packages) => {
      await run("go", "mod", "init", "user");
      await run("go", "get", ...Object.entries(packages).map(([path, version]) => `${path}@${version}`));
    },
    command: ["go", "run", "-mod=mod", "."],
  },
  Java: {
    install: async (run, packages, folder) => {
      const dependencies = Object.entries(packages).map(([name, version]) => {
        const [group, artifact] = name.split(":");
        const coordinates = `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`;
        return `<dependency>${coordinates}</dependency>`;
      });
      const project = "<modelVersion>4.0.0</modelVersion><groupId>user</groupId><artifactId>user</artifactId>";
      const pom = `<project>${project}<version>1</version><dependencies>${dependencies.join("")}</dependencies></project>`;
      await writeFile(join(folder, "pom.xml"), pom);
      const options = ["-DoutputDirectory=lib", "-DincludeScope=runtime"];
      await run("mvn", "--batch-mode", "--quiet", "dependency:copy-dependencies", ...options);
    },
    command: ["java", "-cp", "lib/*", "Main.java"],
  },
};

let databases: ReturnType<typeof databasesOn>;

beforeAll(async () => {
  const api = await startReferenceApi({ sql: true });
  databases = databasesOn(api);
  return () => api.close();
});

const programs = TOOLS.flatMap(({ program, ...tool }) => (program === undefined ? [] : [{ ...tool, program }]));

// Most of the time, the programs wait for the registries.
test.concurrent.for(programs)("$name works with a database", async (tool, { skip, onTestFinished, expect }) => {
  const { name, program, language, packages } = tool;
  const folder = await mkdtemp(join(tmpdir(), "dbplatform-tool-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await cp(join(__dirname, "tools", program), folder, { recursive: true });

  const { url, token } = await databases.database(program);
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    DATABASE_URL: url,
    DATABASE_TOKEN: token,
  };
  const run: Run = async (file, ...args) => (await promisify(execFile)(file, args, { cwd: folder, env })).stdout;
  const { install, command } = LANGUAGES[language];
  try {
    await install(run, packages, folder);
  } catch (missing) {
    // npm is needed for this repository, too, but a machine may lack the other languages.
    if (language === "JavaScript") throw missing;
    return skip(`${name} cannot be installed on this machine: ${missing}`);
  }
  const printed = (await run(...command)).trim().split("\n").at(-1) ?? "";
  expect(JSON.parse(printed)).toEqual(PRINTED[program] ?? CUSTOMERS);
});
