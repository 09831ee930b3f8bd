import { existsSync, readdirSync, readFileSync } from "node:fs";

const SEED = 23;
/** A sample consists of ranges of this many lines. */
const LINES = 6;
/** Folders, each with the share of its lines that is drawn. A greater share contains a smaller one. */
const areas = [
  [0.015, "kit"],
  [0.02, "provider/resources"],
  [0.05, "provider/client"],
];
/**
 * The compiler checks what only declares types. A catalogue of messages has texts, which people read: a test compares a
 * message with what its function returns.
 */
const isMutated = (name) =>
  /(?<!\.d|\.test)\.ts$/.test(name) && !/^(dist|node_modules)\/|(^|\/)messages\.ts$/.test(name);

/** Mulberry32. */
function randomly(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function drawn([share, ...folders]) {
  const random = randomly(SEED);
  const ranges = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter(isMutated)
      .sort()
      .flatMap((name) => {
        const last = readFileSync(`${folder}/${name}`, "utf8").trimEnd().split("\n").length;
        return Array.from({ length: Math.ceil(last / LINES) }, (_, index) => {
          const first = 1 + index * LINES;
          return `${folder}/${name}:${first}-${Math.min(first + LINES - 1, last)}`;
        });
      }),
  );
  for (let i = ranges.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [ranges[i], ranges[j]] = [ranges[j], ranges[i]];
  }
  return ranges.slice(0, Math.round(ranges.length * share));
}

export default {
  mutate: areas.flatMap(drawn),
  testRunner: "vitest",
  vitest: { configFile: "tools/lab/mutation/vitest.config.mts", related: false },
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 20_000,
  disableTypeChecks: false,
  reporters: ["clear-text"],
};
