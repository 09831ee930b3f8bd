import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { run } from "../run";

interface Options {
  readonly sequences: number;
  readonly seed: number;
  readonly compare?: true;
}

/** Number of lines that a difference shows before and after its first line. */
const CONTEXT = 6;

const wholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Give a whole number.");
  return Number(text);
};

const command = new Command("record")
  .description(
    "Plays random sequences on the fake engine, and records each response, message and request, so that a change of the code can be compared with what was before.",
  )
  .argument("<file>", "the recording")
  .option("--compare", "do not write the file, but compare it with a new recording; exit with 1 if they differ")
  .option("--sequences <number>", "number of random sequences", wholeNumber, 600)
  .option("--seed <number>", "seed of the random sequences", wholeNumber, 42)
  .action(async (file: string, { sequences, seed, compare }: Options) => {
    const written = compare ? join(mkdtempSync(join(tmpdir(), "dbplatform-recording-")), "after.txt") : resolve(file);
    const env = { ...process.env, RECORD_FILE: written, RECORD_SEQUENCES: `${sequences}`, RECORD_SEED: `${seed}` };
    const code = await run("vitest", ["run", "--project", "memory", "test/sequences/record.test.ts"], env);
    if (code !== 0) process.exit(code);
    const after = sequencesIn(written);
    console.log(`${after.size} sequences, ${[...after.values()].flat().length} lines in ${written}`);
    if (!compare) return;
    const differences = differencesBetween(sequencesIn(file), after);
    for (const difference of differences.slice(0, 10)) console.log(difference);
    console.log(`${differences.length} sequences differ`);
    if (differences.length > 0) process.exit(1);
  });

/** Sorts the properties of a line's values, because their order means nothing. */
function sorted(line: string): string {
  const [, before, values] = /^([^{]*?)(\{.*\})$/.exec(line) ?? [];
  if (values === undefined) return line;
  try {
    return before + JSON.stringify(JSON.parse(values), (_key, value) => (isRecord(value) ? inOrder(value) : value));
  } catch {
    return line;
  }
}

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const inOrder = (record: object): object =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)));

function sequencesIn(file: string): Map<string, string[]> {
  const parts = readFileSync(file, "utf8").split(/^# /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [name = "", ...lines] = part.split("\n");
      return [name, lines.map(sorted)];
    }),
  );
}

/** Shows, for each sequence that differs, the first difference with the lines around it. */
function differencesBetween(before: ReadonlyMap<string, string[]>, after: ReadonlyMap<string, string[]>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) ?? [], after.get(name) ?? []];
    const length = Math.max(was.length, is.length);
    const at = Array.from({ length }, (_, index) => index).find((index) => was[index] !== is[index]);
    if (at === undefined) return [];
    const around = (sign: string, lines: readonly string[]) =>
      lines.slice(at, at + CONTEXT).map((line) => `${sign} ${line}`);
    return [
      [`# ${name}`, ...was.slice(Math.max(0, at - CONTEXT), at), ...around("-", was), ...around("+", is)].join("\n"),
    ];
  });
}

void command.parseAsync();
