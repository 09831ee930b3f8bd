import type { Area, Effort } from "./line";
import { table } from "./table";

/** Who measures what. */
const AREAS: readonly Area[] = [];

async function main(): Promise<void> {
  const quick = process.argv.includes("--quick");
  const effort: Effort = { quick, rounds: quick ? 2 : 5 };
  const lines = [];
  for (const area of AREAS) lines.push(...(await area(effort)));
  console.log(table(lines));
}

void main();
