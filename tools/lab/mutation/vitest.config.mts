/** Selects the unit tests of the mutated folders, without the slow files. */
export default {
  test: {
    include: [
      "{kit,provider}/**/*.test.ts",
      "test/{client,dynamic,kit,laws,lifecycle,plugin,schema,stories}/**/*.test.ts",
    ],
    exclude: [
      "test/plugin/{network,start}.test.ts",
      "test/schema/package.test.ts",
      ...["spellings", "fault-table", "stale", "hostile-names", "hostile-answers", "few-requests", "rate-limit"].map(
        (name) => `test/*/${name}.test.ts`,
      ),
    ],
    // Loads the modules once, and not once for each test file.
    isolate: false,
    testTimeout: 60_000,
    // The main configuration defines the tags.
    strictTags: false,
    provide: { engine: "memory", storiesOn: "the fake engine" },
  },
};
