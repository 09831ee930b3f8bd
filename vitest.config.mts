import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { PROMISES, TAGS_OF_FILES, TEST_FILES } from "./test/tags.mts";

// A developer's shell may have the settings of a real organization, which no test may reach.
for (const name of Object.keys(process.env)) if (/^(DBPLATFORM|TURSO)_/.test(name)) delete process.env[name];

const reference = ["test/reference/**/*.test.ts"];

/** Tests of the command, which start processes of their own, each on data of its own. */
const command = "test/reference/command/**";

/** Tests in which several servers share data, which is impossible in memory. */
const shared = "test/reference/shared/**";

/** Tests of requests that are answered before any data is read, so only a full run repeats them on each engine. */
const beforeData = process.env.TEST_FULL
  ? []
  : ["form", "journal", "limits", "wire"].map((name) => `test/reference/${name}.test.ts`);

/** Tests of the SQL server, which start their own data. */
const sql = "test/reference/sql/**";

const onData = { include: reference, exclude: [command, ...beforeData, sql] };

/** Tests that need `dist/` or the Pulumi CLI, which `npm test` provides, or packages that they install. */
const needingBuild = [
  "test/{adopt,engine,package}/**/*.test.ts",
  "test/clients/tools.test.ts",
  "test/plugin/{network,start}.test.ts",
  "test/schema/package.test.ts",
  "test/sequences/engine.test.ts",
  "test/tools/open-example.test.ts",
];

/** Files that are slow and repeat, with other options or in another order, what other tests prove. */
const more = [...TAGS_OF_FILES.keys()].filter((file) => TAGS_OF_FILES.get(file)?.includes("more"));

/** Test files that share worker processes, but not the modules of this repository. */
const inSharedWorkers = process.env.TEST_FULL ? {} : { isolate: false, setupFiles: "test/fresh-modules.ts" };

const stories = "test/stories/*.test.ts";

/** Stories that `npm test` plays on the real engine too. `npm run test:more` plays others there. */
const mainStories = ["test/stories/hidden.test.ts"];

/** Stories of what the provider says and the platform refuses, which the engine only passes on: for a full run. */
const passedOn = process.env.TEST_FULL
  ? []
  : ["authors", "organization", "people", "permissions", "recovery"].map((name) => `test/stories/${name}.test.ts`);

const onRealEngine = { storiesOn: "the real engine" } as const;

export default defineConfig({
  test: {
    // Every run then has the order of files that a first run has, as in CI.
    cache: false,
    // One more than there are cores, because the tests wait for processes, browsers and time-outs.
    maxWorkers: availableParallelism() + 1,
    // The limits are for a test that hangs, not for a machine that is busy.
    testTimeout: process.env.TEST_FULL ? 3_600_000 : 900_000,
    hookTimeout: 900_000,
    // Ignores work that an inline program has left unfinished when its engine ends, because nobody awaits that work any
    // more.
    onUnhandledError: ({ message }) => message !== "Resource monitor is terminating",
    globalSetup: ["test/reference/sql/engine-bundle.ts"],
    tags: [{ name: "more", description: "Runs in `npm run test:more` and not in `npm test`." }, ...PROMISES],
    projects: [
      {
        extends: true,
        test: {
          name: "memory",
          ...inSharedWorkers,
          include: [TEST_FILES],
          exclude: [shared, ...needingBuild, ...more],
          provide: { engine: "memory", storiesOn: "the fake engine" },
        },
      },
      { extends: true, test: { name: "built", include: needingBuild, exclude: more, provide: { engine: "memory" } } },
      { extends: true, test: { name: "more", include: more, provide: { engine: "memory" } } },
      { extends: true, test: { name: "stories", include: mainStories, provide: onRealEngine } },
      {
        extends: true,
        test: {
          name: "more-stories",
          include: [stories],
          exclude: [...mainStories, ...passedOn],
          provide: onRealEngine,
        },
      },
      { extends: true, test: { name: "file", ...onData, provide: { engine: "file" } } },
      {
        extends: true,
        test: {
          name: "postgres",
          ...onData,
          globalSetup: ["test/postgres/set-up.ts"],
          provide: { engine: "postgres" },
        },
      },
    ],
  },
});
