// @module-tag more
// @module-tag failures-and-interruptions

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Properties } from "../../kit/lifecycle/properties";
import { isRefusal, messageOf } from "../../kit/refusal";
import { api } from "../../platform/contract/api";
import type { Operation } from "../../platform/reference/faults/faults";
import { functions } from "../../provider/functions/list";
import { dbplatform } from "../../provider/provider";
import { FakeEngine } from "../fake-engine/fake-engine";
import { type FaultyWire, losses, type Trouble } from "../faulty-wire";
import { full } from "../full";
import { ask } from "../functions/asking";
import type { Declarations } from "../stories/declarations";
import { type FaultScenario, faultScenarios } from "./fault-scenarios";
import { BELIEVABLE, lies } from "./lies";
import {
  type Attack,
  assertSurvives,
  type CleanRun,
  cleanRun,
  platformBehindWire,
  programOf,
  scenarioFixture,
} from "./scenario-fixture";
import { oversized, troubles } from "./troubles";

const SAMPLE = 3;

interface OperationAttack extends Attack {
  readonly operation: Operation;
}

function attacksOn({ asked }: Pick<CleanRun, "asked">): OperationAttack[] {
  const attacks: OperationAttack[] = [];
  for (const [operation, answersBefore] of asked) {
    for (const [by, lose] of Object.entries(losses))
      attacks.push({
        operation,
        title: `${operation}, ${by} from then on`,
        lies: false,
        begin: ({ wire }) => wire.loseAfter(answersBefore, lose),
      });
    for (const [name, trouble] of Object.entries({ ...troubles, ...lies }))
      for (const [often, times] of Object.entries({ once: 1, always: Number.POSITIVE_INFINITY }))
        attacks.push({
          operation,
          title: `${operation}, ${name}, ${often}`,
          lies: name in lies,
          isBelievable: BELIEVABLE.has(name),
          begin: ({ wire }) => troubled(wire, { operation, trouble, times }),
        });
  }
  return attacks;
}

interface Troubled {
  readonly operation: Operation;
  readonly trouble: Trouble;
  readonly times: number;
}

function troubled(wire: FaultyWire, { operation, trouble, times }: Troubled): void {
  let left = times;
  wire.trouble = (asked) => (asked.operation === operation && left-- > 0 ? trouble : undefined);
}

const attacked = new Set<Operation>();

/** Returns all attacks in a full run, and otherwise a sample and one on each operation that no test has attacked yet. */
function sampled(all: readonly OperationAttack[], offset: number): OperationAttack[] {
  const stride = full ? 1 : Math.ceil(all.length / SAMPLE);
  return all.filter(({ operation }, index) => {
    const isFirst = !attacked.has(operation);
    attacked.add(operation);
    return isFirst || index % stride === offset % stride;
  });
}

test.each(Object.entries(faultScenarios))(
  "%s loses no state because of a fault, and succeeds once the fault is over",
  async (title, scenario) => {
    const on = await platformBehindWire();
    const clean = await cleanRun(scenario, on);
    const problems: string[] = [];
    for (const attack of sampled(attacksOn(clean), title.length * 7))
      await assertSurvives(attack, scenario, { clean, on }).catch((problem: unknown) =>
        problems.push(`${attack.title}: ${messageOf(problem)}`),
      );
    expect(problems).toEqual([]);
  },
);

/** Arguments for each function. The test creates the database `orders` and its configuration. */
const questions: Readonly<Record<string, Properties>> = {
  getOrganization: {},
  getLocations: {},
  getGroup: { name: "default" },
  getGroups: {},
  getDatabase: { name: "orders" },
  getDatabases: { group: "default" },
  getDatabaseConfiguration: { name: "orders" },
  getDeletedDatabases: {},
  getDeletedGroups: {},
  getApiTokens: {},
  getMembers: {},
  getInvites: {},
  getAuditLogs: {},
  getInstances: { name: "orders" },
  getDatabaseUsage: { name: "orders" },
  getGroupUsage: { name: "default" },
  getOrganizationUsage: {},
};

test("under a fault, every provider function returns a correct result or a clear error", async () => {
  const on = await platformBehindWire();
  const { here, wire, open } = on;
  await scenarioFixture(faultScenarios["creating a database from a dump"] as FaultScenario, on);
  const { wished } = faultScenarios["creating a database with its configuration"] as FaultScenario;
  await new FakeEngine(dbplatform).up(programOf(wished as Declarations), here.newProcess());
  expect(Object.keys(questions)).toEqual(functions.map(({ name }) => name));
  const problems: string[] = [];
  for (const [index, [name, args]] of Object.entries(questions).entries()) {
    wire.requests.length = 0;
    const right = await ask(name, args, open());
    const asked = new Map(wire.requests.map(({ operation }, at) => [operation as Operation, at]));
    for (const attack of sampled(attacksOn({ asked }), index * 7)) {
      attack.begin(on);
      const answer = await ask(name, args, open()).catch((failure: unknown) => failure);
      await wire.heal();
      if (answer instanceof Error && !isRefusal(answer)) problems.push(`${name}, ${attack.title}: ${answer.stack}`);
      if (!(answer instanceof Error) && !attack.lies && !isDeepStrictEqual(answer, right))
        problems.push(`${name}, ${attack.title}: ${JSON.stringify(answer)}`);
    }
    expect(await ask(name, args, open())).toEqual(right);
  }
  expect(problems).toEqual([]);
});

test("the tests above inject faults into every API operation that the provider uses", () => {
  const folders = ["kit", "provider"];
  const sources = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(name, "utf8"));
  const called = Object.keys(api).filter((operation) =>
    sources.some((source) => new RegExp(`\\.${operation}\\(`).test(source)),
  );
  expect(called.filter((operation) => !attacked.has(operation as Operation))).toEqual([]);
  expect(called.length).toBeGreaterThan(25);
});

test.runIf(full)("stops reading a response that exceeds the size limit", async () => {
  const { wire, open } = await platformBehindWire();
  wire.trouble = ({ operation }) => (operation === "listDatabases" ? oversized : undefined);
  await expect(ask("getDatabases", {}, open())).rejects.toMatchObject({ kind: "unavailable" });
});
