import type { ReadResult } from "./reads";

export interface StepResult {
  readonly text: string;
  /** Why the step failed. Contains no name and nothing that the platform sent. */
  readonly failure?: string;
  readonly milliseconds: number;
}

export interface LiveRun {
  readonly started: Date;
  readonly version: string;
  readonly host: string;
  readonly reads: readonly ReadResult[];
  readonly steps: readonly StepResult[];
}

/** Returns how many reads and steps were not as expected. */
export const differencesIn = ({ reads, steps }: LiveRun): number =>
  reads.filter(({ differences }) => differences.length > 0).length + steps.filter(({ failure }) => failure).length;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Writes a run as Markdown. */
export function liveReport(run: LiveRun): string {
  const { started, version, host, reads, steps } = run;
  const differences = differencesIn(run);
  const rows = reads.length + steps.length;
  return [
    `# A live run on ${started.toISOString().slice(0, 10)}`,
    "",
    `\`npm run live\` of version ${version} against ${host}, begun at ${started.toISOString().slice(11, 16)} UTC. ${
      differences === 0 ? `All ${rows} rows are as expected.` : `Not as expected: ${differences} of ${rows} rows.`
    }`,
    "",
    "## The story",
    "",
    "| Step | Result | Time |",
    "| --- | --- | --- |",
    ...steps.map(
      ({ text, failure, milliseconds }) =>
        `| ${text} | ${failure ? `**${failure}**` : "ok"} | ${seconds(milliseconds)} |`,
    ),
    "",
    "## Reads, compared with the contract",
    "",
    "| Operation | Status | Result | Time |",
    "| --- | --- | --- | --- |",
    ...reads.map(({ operation, status, differences, remarks, milliseconds }) => {
      const result = [differences.length > 0 ? `**${differences.join("; ")}**` : "ok", ...remarks].join("; ");
      return `| ${operation} | ${status ?? "–"} | ${result} | ${milliseconds} ms |`;
    }),
    "",
  ].join("\n");
}
