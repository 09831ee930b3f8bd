import { defineConfig } from "vitest/config";

const reference = ["test/reference/**/*.test.ts"];

/** These start processes of their own, each on data of its own. */
const alone = ["background", "command"].map((name) => `test/reference/${name}.test.ts`);

/** Several servers on the same data: in memory there is only one. */
const shared = "test/reference/shared/**";

/** What these ask is answered before any data are, so that only a full run asks it on each engine. */
const beforeData = process.env.TEST_FULL
  ? []
  : ["form", "journal", "limits", "wire"].map((name) => `test/reference/${name}.test.ts`);

const onData = { include: reference, exclude: [...alone, ...beforeData] };

/** These need `dist/` or the Pulumi CLI, which `npm test` makes sure of. */
const needingBuild = [
  "test/{adopt,engine,package}/**/*.test.ts",
  "test/plugin/{network,start}.test.ts",
  "test/schema/package.test.ts",
  "test/sequences/engine.test.ts",
  "test/tools/open-example.test.ts",
];

/**
 * Files that prove on the engine, once more, by another option or order, what others have proven; `npm run test:more`
 * runs them. In the other files such a test has the tag `more`. Decision 117.
 */
const more = [
  ...[
    "adopt",
    "api-token",
    "configuration",
    "crashes",
    "do",
    "docs/stories",
    "each-spelling",
    "many",
    "namesakes",
    "options",
    "seeds",
    "troubleshooting",
  ],
  ...["examples/ci", "examples/ways-to-run", "examples/pull-request", "examples/restore", "examples/tenants"],
]
  .map((name) => `test/engine/${name}.test.ts`)
  .concat("test/sequences/engine.test.ts");

export default defineConfig({
  test: {
    // Vitest leaves one core idle, which is half of a small machine; the tests wait for other processes most of the time.
    maxWorkers: "100%",
    testTimeout: process.env.TEST_FULL ? 3_600_000 : 180_000,
    hookTimeout: 300_000,
    // A program that runs as a function may have something under way when its engine ends, which nobody awaits then.
    onUnhandledError: ({ message }) => message !== "Resource monitor is terminating",
    tags: [{ name: "more", description: "Runs in `npm run test:more` and not in `npm test`." }],
    projects: [
      {
        extends: true,
        test: {
          name: "memory",
          include: ["test/**/*.test.ts"],
          exclude: [shared, ...needingBuild],
          provide: { engine: "memory" },
        },
      },
      { extends: true, test: { name: "built", include: needingBuild, exclude: more, provide: { engine: "memory" } } },
      { extends: true, test: { name: "more", include: more, provide: { engine: "memory" } } },
      { extends: true, test: { name: "file", ...onData, provide: { engine: "file" } } },
      {
        extends: true,
        test: {
          name: "postgres",
          ...onData,
          globalSetup: "test/postgres/set-up.ts",
          provide: { engine: "postgres" },
        },
      },
    ],
  },
});
