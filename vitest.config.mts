import { defineConfig } from "vitest/config";

const reference = ["test/reference/**/*.test.ts"];

/** These start processes of their own, each on data of its own. */
const alone = ["test/reference/command.test.ts"];

/** Several servers on the same data: in memory there is only one. */
const shared = "test/reference/shared/**";

/** What these ask is answered before any data are, so that only a full run asks it on each engine. */
const beforeData = process.env.TEST_FULL
  ? []
  : ["form", "journal", "limits", "wire"].map((name) => `test/reference/${name}.test.ts`);

const onData = { include: reference, exclude: [...alone, ...beforeData] };

export default defineConfig({
  test: {
    // Vitest leaves one core idle, which is half of a small machine; the tests wait for other processes most of the time.
    maxWorkers: "100%",
    testTimeout: process.env.TEST_FULL ? 3_600_000 : 180_000,
    hookTimeout: 300_000,
    // A program that runs as a function may have something under way when its engine ends, which nobody awaits then.
    onUnhandledError: ({ message }) => message !== "Resource monitor is terminating",
    projects: [
      {
        extends: true,
        test: { name: "memory", include: ["test/**/*.test.ts"], exclude: [shared], provide: { engine: "memory" } },
      },
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
