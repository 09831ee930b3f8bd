import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Client } from "../../platform/client/client";
import { isRefusal, messageOf } from "../../platform/client/refusal";
import { api, type Operation } from "../../platform/contract/api";
import { functions } from "../../provider/functions/list";
import type { Context } from "../../provider/lifecycle/context";
import { Incomplete } from "../../provider/lifecycle/incomplete";
import type { Properties } from "../../provider/lifecycle/properties";
import { clientOf } from "../engine/world";
import { full } from "../full";
import { ask } from "../functions/asking";
import { lies } from "./lies";
import { type Line, line, type Trouble } from "./line";
import { type Session, session } from "./session";
import { type Program, SmallEngine } from "./small-engine";
import { objectsIn, type Story, stories } from "./stories";
import { oversized, troubles } from "./troubles";

/** Of every story, in `npm test`. */
const SAMPLE = 6;
const LOSSES = ["a refused connection", "an unknown name"] as const;

interface Platform {
  readonly here: Session;
  readonly outside: Client;
  readonly wire: Line;
  /** Another process, that goes by the line. */
  open(): Context;
}

async function platform(): Promise<Platform> {
  const here = await session();
  const wire = await line(here.api.url);
  const outside = clientOf(here.api, here.api.apiToken);
  return { here, outside, wire, open: () => here.again({}, { baseUrl: wire.url }) };
}

/** A stack before the last step of its story. */
interface Stage extends Platform {
  readonly engine: SmallEngine;
  readonly wished: Program;
  /** Ids of what there was before. */
  readonly known: ReadonlySet<string>;
}

async function stage(story: Story, on: Platform): Promise<Stage> {
  const { here, outside, wire } = on;
  await wire.heal();
  await here.api.reset();
  const engine = new SmallEngine();
  if (story.before) await engine.up(story.before, here.again());
  const happening = { engine, outside, here };
  await story.outside?.(happening);
  const wished = typeof story.wished === "function" ? story.wished(happening) : story.wished;
  const known = new Set((await objectsIn(here, outside)).keys());
  wire.asked.length = 0;
  return { ...on, engine, wished, known };
}

/** What there is, and whether it was there before. */
async function found({ here, outside, known }: Stage): Promise<string[]> {
  const objects = [...(await objectsIn(here, outside))];
  return objects.map(([id, text]) => `${text} ${known.has(id) ? "as before" : "new"}`).sort();
}

interface Clean {
  /** Each operation with the number of answers before it. */
  readonly asked: ReadonlyMap<Operation, number>;
  readonly found: readonly string[];
  /** Names of what is still the same object. */
  readonly kept: readonly string[];
}

/** The story as it goes when nothing goes wrong. */
async function cleanRun(story: Story, on: Platform): Promise<Clean> {
  const here = await stage(story, on);
  const before = new Map(here.engine.state);
  await here.engine.up(here.wished, here.open());
  const asked = new Map<Operation, number>();
  for (const [index, { operation }] of here.wire.asked.entries())
    if (operation && !asked.has(operation)) asked.set(operation, index);
  await settled(here);
  const kept = [...before].filter(([name, { id }]) => here.engine.state.get(name)?.id === id).map(([name]) => name);
  return { asked, found: await found(here), kept };
}

/** Nothing is left to do, and nothing is done. */
async function settled({ engine, wished, wire, open }: Stage): Promise<void> {
  wire.asked.length = 0;
  expect(await engine.preview(wished, open())).toEqual([]);
  await engine.up(wished, open());
  expect(wire.asked.filter(({ method }) => method !== "GET")).toEqual([]);
}

interface Attack {
  readonly title: string;
  /** Answers that look like the platform's and are not true. */
  readonly lies: boolean;
  begin(wire: Line): void;
}

function attacksOn({ asked }: Pick<Clean, "asked">): Attack[] {
  const attacks: Attack[] = [];
  for (const [operation, answersBefore] of asked) {
    for (const by of LOSSES)
      attacks.push({
        title: `${operation}, ${by} from then on`,
        lies: false,
        begin: (wire) => wire.loseAfter(answersBefore, by),
      });
    for (const [name, trouble] of Object.entries({ ...troubles, ...lies }))
      for (const [often, times] of Object.entries({ once: 1, always: Number.POSITIVE_INFINITY }))
        attacks.push({
          title: `${operation}, ${name}, ${often}`,
          lies: name in lies,
          begin: (wire) => troubled(wire, { operation, trouble, times }),
        });
  }
  return attacks;
}

interface Troubled {
  readonly operation: Operation;
  readonly trouble: Trouble;
  readonly times: number;
}

function troubled(wire: Line, { operation, trouble, times }: Troubled): void {
  let left = times;
  wire.trouble = (asked) => (asked.operation === operation && left-- > 0 ? trouble : undefined);
}

/** The step under attack, then without: what is wrong with what came of it. */
async function under({ begin }: Attack, story: Story, { clean, on }: { clean: Clean; on: Platform }): Promise<void> {
  const here = await stage(story, on);
  const { engine, wished, wire, open } = here;
  const before = new Map(engine.state);
  begin(wire);
  const failure = await engine.up(wished, open()).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (failure !== undefined) mustBeClear(failure, here);
  expect(Object.hasOwn(Object.prototype, "polluted") || "polluted" in {}).toBe(false);
  await wire.heal();

  for (const { id, state } of engine.held) if (state.dbId !== undefined) expect(state.dbId).toBe(id);
  for (const name of clean.kept) expect(engine.state.get(name)?.id, name).toBe(before.get(name)?.id);
  const living = await objectsIn(here.here, here.outside);
  for (const { id } of before.values()) {
    const isHeld = engine.held.some((held) => held.id === id);
    if (!isHeld) expect(living.get(id) ?? '["deleted', "lost from the state").toContain('["deleted');
  }

  await upAsAdvised(here);
  expect(await found(here)).toEqual(clean.found);
  await settled(here);
}

function mustBeClear(failure: unknown, { here }: Stage): void {
  expect(isRefusal(failure) || failure instanceof Incomplete, String((failure as Error).stack)).toBe(true);
  expect(messageOf(failure)).toMatch(/\w+ \w+/);
  expect(messageOf(failure)).not.toContain(here.api.apiToken);
  expect(messageOf(failure)).not.toContain("eyJ");
}

/** What a chosen name was left with is imported, as the refusal says. */
async function upAsAdvised({ engine, wished, open }: Stage): Promise<void> {
  const failure = await engine.up(wished, open()).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (failure === undefined) return;
  const [, id] = /`import: "([^"]+)"`/.exec(messageOf(failure)) ?? [];
  const [name, declared] = Object.entries(wished).find(([each]) => !engine.state.has(each)) ?? [];
  if (id === undefined || name === undefined || declared === undefined) throw failure;
  await engine.up({ ...wished, [name]: { ...declared, import: id } }, open());
}

const askedAnywhere = new Set<Operation>();

/** A part of them, another one for each story; in a full run all. */
function sampled<T>(all: readonly T[], offset: number): T[] {
  const stride = full ? 1 : Math.ceil(all.length / SAMPLE);
  return all.filter((_, index) => index % stride === offset % stride);
}

test.each(Object.entries(stories))(
  "%s, whatever goes wrong on the way: as wished, or refused with nothing lost, and then as wished",
  async (title, story) => {
    const on = await platform();
    const clean = await cleanRun(story, on);
    for (const operation of clean.asked.keys()) askedAnywhere.add(operation);
    const problems: string[] = [];
    for (const attack of sampled(attacksOn(clean), title.length * 7))
      await under(attack, story, { clean, on }).catch((problem: unknown) =>
        problems.push(`${attack.title}: ${messageOf(problem)}`),
      );
    expect(problems).toEqual([]);
  },
);

/** What a function is asked with on a platform with a database `orders`, which is a copy, and a deleted one. */
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
  getAuditLogs: {},
};

test("a function answers rightly or refuses clearly, whatever goes wrong on the way", async () => {
  const on = await platform();
  const { here, wire, open } = on;
  await stage(stories["a database is made from a dump"] as Story, on);
  await new SmallEngine().up(stories["a database is made with its configuration"]?.wished as Program, here.again());
  expect(Object.keys(questions)).toEqual(functions.map(({ name }) => name));
  const problems: string[] = [];
  for (const [index, [name, args]] of Object.entries(questions).entries()) {
    wire.asked.length = 0;
    const right = await ask(name, args, open());
    const asked = new Map(wire.asked.map(({ operation }, at) => [operation as Operation, at]));
    for (const operation of asked.keys()) askedAnywhere.add(operation);
    for (const attack of sampled(attacksOn({ asked }), index * 7)) {
      attack.begin(wire);
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

test("what the provider asks for is attacked, all of it", () => {
  const folders = ["provider", "platform/client"];
  const sources = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(name, "utf8"));
  const called = Object.keys(api).filter((operation) =>
    sources.some((source) => new RegExp(`\\.${operation}\\(`).test(source)),
  );
  expect(called.filter((operation) => !askedAnywhere.has(operation as Operation))).toEqual([]);
  expect(called.length).toBeGreaterThan(25);
});

test.runIf(full)("an answer that is larger than anything the platform says is given up", async () => {
  const { wire, open } = await platform();
  wire.trouble = ({ operation }) => (operation === "listDatabases" ? oversized : undefined);
  await expect(ask("getDatabases", {}, open())).rejects.toMatchObject({ kind: "unavailable" });
});
