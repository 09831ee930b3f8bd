import { expect } from "vitest";
import type { Context } from "../../kit/lifecycle/context";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { isRefusal, messageOf } from "../../kit/refusal";
import type { Operation } from "../../platform/reference/faults/faults";
import type { Client } from "../../provider/client/organization-client";
import { dbplatform } from "../../provider/provider";
import { resources } from "../../provider/resources/list";
import { clientOf } from "../engine/engine-fixture";
import type { Program } from "../fake-engine/declared-program";
import { type Entry, Refused } from "../fake-engine/engine-run";
import { FakeEngine } from "../fake-engine/fake-engine";
import { type FaultyWire, faultyWire, isWrite } from "../faulty-wire";
import type { Declarations } from "../stories/declarations";
import { type FaultScenario, objectsIn } from "./fault-scenarios";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

export interface PlatformBehindWire {
  readonly here: LifecycleFixture;
  readonly outside: Client;
  readonly wire: FaultyWire;
  /** Opens a context, as a new provider process would. The context sends its requests through the proxy. */
  open(): Context;
}

const KEYED = resources.filter(({ keyed }) => keyed).map(({ type }) => type);

/** The maximum number of requests per test. Without a limit, a test that polls stale data would never end. */
const MOST_REQUESTS = 500;

export async function platformBehindWire(): Promise<PlatformBehindWire> {
  const here = await lifecycleFixture({}, { sql: true });
  const wire = await faultyWire(here.api.url);
  const outside = clientOf(here.api, here.api.apiToken);
  const open = () => {
    const context = here.newProcess({}, { baseUrl: wire.url });
    // The fake engine reads all resources before each run, which the plugin says to the run.
    context.run.readsFirst = true;
    return context;
  };
  return { here, outside, wire, open };
}

interface ScenarioFixture extends PlatformBehindWire {
  readonly stack: FakeEngine;
  readonly wished: Program;
  readonly known: ReadonlySet<string>;
}

export async function scenarioFixture(
  scenario: FaultScenario,
  on: PlatformBehindWire,
  attack?: Attack,
): Promise<ScenarioFixture> {
  const { here, outside, wire } = on;
  await heal(on);
  await here.api.reset();
  const stack = new FakeEngine(dbplatform);
  const happening = { stack, outside, here };
  const before = typeof scenario.before === "function" ? await scenario.before(happening) : scenario.before;
  if (before) await stack.up(programOf(before), here.newProcess());
  if (attack?.isEarly) attack.begin(on);
  await scenario.outside?.(happening);
  const wished = programOf(typeof scenario.wished === "function" ? scenario.wished(happening) : scenario.wished);
  const known = await idsIn(here);
  wire.requests.length = 0;
  return { ...on, stack, wished, known };
}

export const programOf = (declared: Declarations): Program => new Map(Object.entries(declared));

/** Reads the store directly, because simulated faults may falsify API responses. */
const idsIn = ({ api }: LifecycleFixture): Promise<Set<string>> =>
  api.store.read(async (state) => {
    const rows = [];
    for (const table of ["groups", "databases", "tokens"] as const)
      rows.push(...(await state.selectFrom(table).select("id").execute()));
    return new Set(rows.map(({ id }) => id));
  });

async function heal({ here, wire }: PlatformBehindWire): Promise<void> {
  here.api.clearFaults();
  await wire.heal();
}

/** Describes each resource on the platform, and says whether the resource existed before the story's update. */
async function found({ here, outside, known }: ScenarioFixture): Promise<string[]> {
  const objects = [...(await objectsIn(here, outside))];
  return objects.map(([id, text]) => `${text} ${known.has(id) ? "as before" : "new"}`).sort();
}

export interface CleanRun {
  readonly asked: ReadonlyMap<Operation, number>;
  readonly found: readonly string[];
  readonly kept: readonly string[];
}

/** Runs the story without faults, for comparison. */
export async function cleanRun(scenario: FaultScenario, on: PlatformBehindWire): Promise<CleanRun> {
  const here = await scenarioFixture(scenario, on);
  const before = here.stack.managed;
  const living = await objectsIn(here.here, here.outside);
  await here.stack.up(here.wished, here.open());
  const asked = new Map<Operation, number>();
  for (const [index, { operation }] of here.wire.requests.entries())
    if (operation && !asked.has(operation)) asked.set(operation, index);
  await settled(here);
  // A resource identified by a key gets the same id when it is recreated, so comparing ids cannot show that it is new.
  const isNew = ({ id, declared }: Entry) => KEYED.includes(declared.type) && !living.has(id);
  const kept = [...before]
    .filter(([name, entry]) => here.stack.managed.get(name)?.id === entry.id && !isNew(entry))
    .map(([name]) => name);
  return { asked, found: await found(here), kept };
}

/** Asserts that a preview finds no changes and that an update writes nothing. */
async function settled({ stack, wished, wire, open }: ScenarioFixture): Promise<void> {
  wire.requests.length = 0;
  expect(await stack.preview(wished, open())).toBe(0);
  await stack.up(wished, open());
  expect(wire.requests.filter(isWrite)).toEqual([]);
}

export interface Attack {
  readonly title: string;
  /** Whether the simulated faults include false but plausible responses. */
  readonly lies: boolean;
  /**
   * Whether the provider cannot detect the false responses, because no other response contradicts them. If so, the test
   * does not check the stack and the platform afterwards.
   */
  readonly isBelievable?: boolean;
  /** Whether the faults begin before the changes outside Pulumi. */
  readonly isEarly?: true;
  begin(on: PlatformBehindWire): void;
}

/**
 * Runs the story's update with simulated faults, then again without them. Asserts that nothing is lost and that the
 * stack and the platform match the program in the end.
 */
export async function assertSurvives(
  attack: Attack,
  scenario: FaultScenario,
  { clean, on }: { clean: CleanRun; on: PlatformBehindWire },
): Promise<void> {
  const here = await scenarioFixture(scenario, on, attack);
  const { stack, wished, wire, open } = here;
  const before = stack.managed;
  if (!attack.isEarly) attack.begin(on);
  const failure = await stack.up(wished, open()).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (failure !== undefined) mustBeClear(failure, here);
  expect(Object.hasOwn(Object.prototype, "polluted") || "polluted" in {}).toBe(false);
  expect(wire.requests.length).toBeLessThan(MOST_REQUESTS);
  await heal(on);
  if (attack.isBelievable) return;

  for (const { id, outputs } of stack.held) if (outputs.dbId !== undefined) expect(outputs.dbId).toBe(id);
  for (const name of clean.kept) expect(stack.managed.get(name)?.id, name).toBe(before.get(name)?.id);
  const living = await objectsIn(here.here, here.outside);
  for (const { id } of before.values()) {
    const isHeld = stack.held.some((held) => held.id === id);
    if (!isHeld) expect(living.get(id) ?? '["deleted', "lost from the state").toContain('["deleted');
  }

  await upAsAdvised(here);
  expect(await found(here)).toEqual(clean.found);
  await settled(here);
}

function mustBeClear(failure: unknown, { here }: ScenarioFixture): void {
  const isClear = isRefusal(failure) || failure instanceof InitFailedError || failure instanceof Refused;
  expect(isClear, String((failure as Error).stack)).toBe(true);
  expect(messageOf(failure)).toMatch(/\w+ \w+/);
  expect(messageOf(failure)).not.toContain(here.api.apiToken);
  expect(messageOf(failure)).not.toContain("eyJ");
}

/**
 * Runs `up`. If a simulated fault has left a resource whose name the program needs, imports this resource as the error
 * message advises.
 */
async function upAsAdvised({ stack, wished, open }: ScenarioFixture): Promise<void> {
  const failure = await stack.up(wished, open()).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (failure === undefined) return;
  const [, id] = /`import: "([^"]+)"`/.exec(messageOf(failure)) ?? [];
  const isMissing = (name: string) => stack.managed.get(name)?.pending !== false;
  const [name, declared] = [...wished].find(([each]) => isMissing(each)) ?? [];
  if (id === undefined || name === undefined || declared === undefined) throw failure;
  await stack.up(new Map(wished).set(name, { ...declared, import: id }), open());
}
