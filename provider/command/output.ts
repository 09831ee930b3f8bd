/** Exit code of a command that has found something, as of `pulumi preview --expect-no-changes`. */
export const EXIT_WITH_FINDINGS = 7;

/** Formats a value as JSON, so that programs can read the output of a command. */
export const jsonOutput = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Formats rows of cells as a table with aligned columns. The first row contains the headings. */
export function tableOutput(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const padded = (line: readonly string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return `${lines.map((line) => padded(line).trimEnd()).join("\n")}\n`;
}

export const printError = (message: string): void => void process.stderr.write(`${message}\n`);
