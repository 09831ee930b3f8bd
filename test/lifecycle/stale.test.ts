// @module-tag no-database-is-lost
// @module-tag failures-and-interruptions

import { expect, test } from "vitest";
import { messageOf } from "../../kit/refusal";
import { faultScenarios } from "./fault-scenarios";
import { type Attack, assertSurvives, cleanRun, platformBehindWire } from "./scenario-fixture";

/** Makes reads stale: until `heal` is called, no read shows a later write. */
const stale: Attack["begin"] = ({ here }) => here.api.fault({ operation: "*", stale: true, times: 10_000 });

const lateness: readonly Attack[] = [
  { title: "what the step itself has done is seen late", lies: false, begin: stale },
  { title: "what happened outside is seen late", lies: false, isEarly: true, begin: stale },
];

test.each(Object.entries(faultScenarios))(
  "%s recovers from stale reads without recording a wrong state",
  async (_, scenario) => {
    const on = await platformBehindWire();
    const clean = await cleanRun(scenario, on);
    const problems: string[] = [];
    for (const attack of lateness)
      await assertSurvives(attack, scenario, { clean, on }).catch((problem: unknown) =>
        problems.push(`${attack.title}: ${messageOf(problem)}`),
      );
    expect(problems).toEqual([]);
  },
);
