/** Selects the unit tests of the mutated folders, without the slow files. */
export default {
  test: {
    include: ["test/{lifecycle,client}/**/*.test.ts"],
    exclude: [
      "spellings",
      "fault-table",
      "stale",
      "hostile-names",
      "hostile-answers",
      "few-requests",
      "rate-limit",
    ].map((name) => `test/*/${name}.test.ts`),
    // Loads the modules once, and not once for each test file.
    isolate: false,
    testTimeout: 60_000,
    provide: { engine: "memory" },
  },
};
