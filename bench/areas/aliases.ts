import { Run } from "../../kit/run";
import { check } from "../../kit/steps/check";
import { database } from "../../provider/resources/database/database";
import type { Bench } from "../bench";
import { Figures } from "../figures";
import type { Measurement } from "../measurement";

const DATABASES = 10_000;

/** How many times each round checks all databases. The best result counts, because each takes a tenth of a second. */
const CHECKS_A_ROUND = 5;

/** Compares the check of a program that declares all its databases with aliases with the check of the program before. */
export async function aliases({ rounds }: Bench): Promise<readonly Measurement[]> {
  console.error(`${rounds} rounds: check of ${DATABASES.toLocaleString("en")} databases with aliases`);
  const figures = new Figures();
  for (let round = 0; round < rounds; round++) {
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let time = 0; time < CHECKS_A_ROUND; time++) {
      floor.push(millisecondsOfCheck((urn) => urn));
      ours.push(millisecondsOfCheck((urn) => `${urn}-renamed`));
    }
    figures.add("check of 10,000 databases with aliases, against without", {
      ours: Math.min(...ours),
      floor: Math.min(...floor),
    });
  }
  return figures.measurements();
}

/** Returns the processor time of Check for all databases of a stack that has been read, without the engine. */
function millisecondsOfCheck(urnNow: (urn: string) => string): number {
  const run = new Run();
  run.readsFirst = true;
  const stack = Array.from({ length: DATABASES }, (_, index) => ({
    urn: `urn:pulumi:dev::bench::dbplatform:index:Database::db-${index}`,
    inputs: { name: `db-${index}`, group: "default" },
  }));
  for (const { urn, inputs } of stack) run.recordRead(database, urn, { id: inputs.name, inputs, state: {} });
  const begun = process.cpuUsage();
  for (const { urn, inputs } of stack) {
    const now = urnNow(urn);
    run.recognize(database, now, { ...inputs });
    const checked = check(database, {
      news: { ...inputs },
      olds: { ...inputs },
      account: "acme",
      propose: () => ({ problem: "every database has a name" }),
      claim: (property, what) => run.claim(now, property, what),
    });
    run.resource(now).inputs = checked.inputs;
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
