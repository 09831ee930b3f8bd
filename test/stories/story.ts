import { expect, inject, onTestFinished } from "vitest";
import type { Operation } from "../../platform/contract/api";
import type { Seed } from "../../platform/reference/seed/seed";
import type { ReferenceApi } from "../../platform/reference/server";
import { type EngineFixture, engineFixture } from "../engine/engine-fixture";
import { operationsOf } from "../engine/journal";
import { realStack } from "../engine/real-stack";
import { SEED } from "../engine/seed";
import type { Program } from "../fake-engine/declared-program";
import type { DeclaredStack, Ended, Managed, StackOptions } from "../fake-engine/declared-stack";
import type { Change } from "../fake-engine/engine-run";
import { fakeStack } from "../fake-engine/fake-engine";
import type { Declarations } from "./declarations";

declare module "vitest" {
  export interface ProvidedContext {
    storiesOn: "the fake engine" | "the real engine";
  }
}

/** What is written in a row, or a function that returns it with the ids and other facts of the running story. */
type Known<T> = T | ((scene: StoryScene) => T);

/** A message: a text that it contains, or a pattern that it matches. */
type Says = string | RegExp;

/** Requests of resources that do not wait for each other. */
interface Unordered {
  readonly inAnyOrder: readonly Operation[];
}

export interface Expectation {
  /**
   * What happens to each resource, by logical name: "create", "import", "delete", "update" with the properties or
   * "replace" with the properties, of which there are none if it is replaced with its owner. Resources that are not
   * named do not change, unless the run fails and `changes` is left out.
   */
  readonly changes?: Readonly<Record<string, string>>;
  /** The messages, each of which appears once. There are no others, unless the run fails and none is named. */
  readonly says?: readonly Says[];
  /** What the error says. Without it, the run succeeds. */
  readonly fails?: Says | readonly Says[];
  /** The requests of `up` that change something: in order, or a set of them in any order. Default: none if it fails. */
  readonly writes?: readonly Operation[] | Unordered;
  /** All requests of `preview`: in order, or a set of them in any order. */
  readonly requests?: readonly Operation[] | Unordered;
  /** The ids of all databases that are not deleted, by name. */
  readonly databases?: Readonly<Record<string, string>>;
}

type PreviewExpectation = Expectation & { readonly writes?: never; readonly databases?: never };
type UpExpectation = Expectation & { readonly requests?: never };

/** What happens outside Pulumi, what the program then wishes, and what is expected. */
interface Chapter {
  readonly outside?: (scene: StoryScene) => unknown;
  /** Default: the program of the previous chapter. */
  readonly wished?: Known<Declarations>;
  /** What is expected of `preview` and of `up`. What is refused changes nothing. */
  readonly expected?: Known<Expectation>;
  /** What differs in `preview`, and what it says besides. `false` leaves it out. */
  readonly preview?: Known<PreviewExpectation> | false;
  /** What differs in `up`, and what it says besides. `false` leaves it out. */
  readonly up?: Known<UpExpectation> | false;
  /** Asserts what the platform and the state contain in the end. */
  readonly afterwards?: (scene: StoryScene) => unknown;
  /** Whether `up` continues after an error, as with `--continue-on-error`. */
  readonly continuesOnError?: true;
  /** Whether a second run may still change something. Default: not after a successful `up`. */
  readonly isUnsettled?: true;
}

type Settings = NonNullable<StackOptions["settings"]>;

export interface Story extends Chapter {
  readonly settings?: Settings | ((api: ReferenceApi) => Settings);
  /** The data with which the reference API starts. Default: `SEED`. */
  readonly seed?: Seed;
  /** What somebody has done before the first update. */
  readonly past?: (scene: StoryScene) => unknown;
  /** The program of the first update, which must succeed. */
  readonly before?: Known<Declarations>;
  readonly next?: readonly Chapter[];
}

/** What a row can refer to while its story is played. */
export class StoryScene {
  /** Facts that the story needs later, such as the id of an object that somebody has created. */
  readonly facts: Record<string, string> = {};
  /** The requests of the last `up` that changed something, in order. */
  written: readonly string[] = [];
  readonly #first = new Map<string, string>();
  #managed: ReadonlyMap<string, Managed> = new Map();

  constructor(
    readonly here: EngineFixture,
    readonly stack: DeclaredStack,
  ) {}

  /** Returns the id that a resource had when the stack first managed it. */
  readonly firstId = (slot: string): string => {
    const id = this.#first.get(slot);
    if (id === undefined) throw new Error(`the stack has never managed ${slot}`);
    return id;
  };

  /** Returns a fact that the story has noted. */
  readonly fact = (name: string): string => {
    const fact = this.facts[name];
    if (fact === undefined) throw new Error(`nobody has noted ${name}`);
    return fact;
  };

  /** Returns what the state now contains of a resource. */
  readonly managed = (slot: string): Managed => {
    const managed = this.#managed.get(slot);
    if (!managed) throw new Error(`the stack does not manage ${slot}`);
    return managed;
  };

  /** Returns the value of a secret output. */
  readonly secret = async (slot: string, property = "token"): Promise<string> =>
    String((await this.stack.managed()).get(slot)?.outputs[property]);

  async look(): Promise<void> {
    this.#managed = await this.stack.managed();
    for (const [slot, { id }] of this.#managed) if (!this.#first.has(slot)) this.#first.set(slot, id);
  }
}

/** Time of the platform in each story, unless somebody moves its clock. */
export const NOON = "2026-03-01T12:00:00Z";

/** Returns a test that plays a story on the engine of the current Vitest project. */
export const story = (told: Story) => async (): Promise<void> => {
  const { settings = {}, seed = SEED, past, before, next = [], ...own } = told;
  const here = await engineFixture({ now: NOON, seed });
  const open = inject("storiesOn") === "the real engine" ? realStack : fakeStack;
  const stack = await open({ api: here.api, settings: typeof settings === "function" ? settings(here.api) : settings });
  onTestFinished(stack.close);
  const scene = new StoryScene(here, stack);
  await past?.(scene);
  let wished: Declarations = {};
  if (before) {
    wished = known(before, scene);
    const { failure } = await stack.run(programOf(wished), { preview: false });
    expect(failure, "of the first update").toBeUndefined();
    await scene.look();
  }
  const chapters: Chapter[] = [...(Object.keys(own).length > 0 ? [own] : []), ...next];
  expect(chapters, "the story has a chapter").not.toEqual([]);
  for (const [index, chapter] of chapters.entries()) {
    await chapter.outside?.(scene);
    if (chapter.wished) wished = known(chapter.wished, scene);
    const isLast = index === chapters.length - 1;
    await play(chapter, { scene, program: programOf(wished), isLast, title: `chapter ${index + 1}` });
  }
};

const known = <T>(value: Known<T>, scene: StoryScene): T =>
  typeof value === "function" ? (value as (scene: StoryScene) => T)(scene) : value;

const programOf = (declared: Declarations): Program => new Map(Object.entries(declared));

interface Playing {
  readonly scene: StoryScene;
  readonly program: Program;
  readonly isLast: boolean;
  readonly title: string;
}

async function play(chapter: Chapter, { scene, program, isLast, title }: Playing): Promise<void> {
  const { here, stack } = scene;
  here.takeWrites();
  if (chapter.preview !== false) {
    const requests = operationsOf(here.api);
    requests();
    const ended = await stack.run(program, { preview: true });
    const expected = expectedOf(chapter, "preview", scene);
    assertEnded(ended, expected, `the preview of ${title}`);
    if (expected.requests) assertRequests(requests(), expected.requests, `requests of the preview of ${title}`);
    expect(here.takeWrites(), `the preview of ${title} writes nothing`).toEqual([]);
  }
  if (chapter.up !== false) {
    const { continuesOnError = false } = chapter;
    const ended = await stack.run(program, { preview: false, continuesOnError });
    await scene.look();
    const expected = expectedOf(chapter, "up", scene);
    const { writes = expected.fails ? [] : undefined, databases } = expected;
    assertEnded(ended, expected, `the update of ${title}`);
    const written = here.takeWrites();
    scene.written = written;
    if (writes) assertRequests(written, writes, `writes of ${title}`);
    if (databases) expect(await here.databases()).toEqual(databases);
    if (ended.failure === undefined && !chapter.isUnsettled) await assertSettled(program, { scene, isLast, title });
    await scene.look();
  }
  await chapter.afterwards?.(scene);
}

function expectedOf(chapter: Chapter, run: "preview" | "up", scene: StoryScene): Expectation {
  const shared = known(chapter.expected ?? {}, scene);
  const own = known(chapter[run] || {}, scene);
  const says = shared.says || own.says ? [...(shared.says ?? []), ...(own.says ?? [])] : undefined;
  return { ...shared, ...own, ...(says && { says }) };
}

/** On the real engine, runs are slow, so only the end of a story is checked there. */
async function assertSettled(program: Program, { scene, isLast, title }: Omit<Playing, "program">): Promise<void> {
  const { here, stack } = scene;
  if (stack.isReal && !isLast) return;
  const { changes, failure } = await stack.run(program, { preview: false });
  expect({ failure, changes: described(changes) }, `a second update after ${title}`).toEqual({ changes: {} });
  expect(here.takeWrites(), `a second update after ${title}`).toEqual([]);
}

function assertRequests(requests: readonly string[], expected: readonly Operation[] | Unordered, title: string): void {
  if ("inAnyOrder" in expected) expect([...requests].sort(), title).toEqual([...expected.inAnyOrder].sort());
  else expect(requests, title).toEqual(expected);
}

function assertEnded(ended: Ended, expected: Expectation, title: string): void {
  const { changes = {}, says = [], fails = [] } = expected;
  const errors = typeof fails === "string" || fails instanceof RegExp ? [fails] : fails;
  if (errors.length === 0) expect(ended.failure, title).toBeUndefined();
  for (const text of errors) expect(ended.failure, title).toSatisfy((failure: string) => isSaid(text, failure ?? ""));
  if (errors.length === 0 || expected.changes) expect(described(ended.changes), `changes in ${title}`).toEqual(changes);
  if (errors.length > 0 && !expected.says) return;
  const surplus = ended.said.filter((message) => !says.some((text) => isSaid(text, message)));
  expect(surplus, `more than expected in ${title}`).toEqual([]);
  const times = says.map((text) => [text, ended.said.filter((message) => isSaid(text, message)).length]);
  expect(times, `messages in ${title}: ${ended.said.join("\n")}`).toEqual(says.map((text) => [text, 1]));
}

const isSaid = (text: Says, message: string): boolean =>
  typeof text === "string" ? message.includes(text) : text.test(message);

/** Describes the changes of each resource in one line, as rows write them. */
function described(changes: readonly Change[]): Record<string, string> {
  const slots = [...new Set(changes.map(({ slot }) => slot))];
  return Object.fromEntries(
    slots.map((slot) => {
      const own = changes.filter((change) => change.slot === slot);
      const kinds = own.map(({ kind }) => kind);
      const properties = [...new Set(own.flatMap((change) => change.properties.map((path) => path.split(/[.[]/)[0])))];
      const isReplaced = kinds.includes("create") && kinds.includes("delete");
      const what = isReplaced ? ["replace"] : [...new Set(kinds)];
      return [slot, [...what, ...properties.sort()].join(" ")];
    }),
  );
}
