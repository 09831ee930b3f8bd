import { isDeepStrictEqual } from "node:util";
import type { AnyResource } from "../../kit/definition";
import { Instance } from "../../kit/instance";
import type { Context } from "../../kit/lifecycle/context";
import { isKnown, type Properties } from "../../kit/lifecycle/properties";
import { nounOf } from "../../kit/phrases";
import { dbplatform } from "../../provider/provider";
import { resources } from "../../provider/resources/list";
import type { Declared, Program } from "../fake-engine/declared-program";
import type { DeclaredStack, Ended, Managed, RunOptions, StackOptions } from "../fake-engine/declared-stack";
import { type FaultyWire, faultyWire, isWrite } from "../faulty-wire";
import type { Example, Outside } from "./example";
import { type Platform, startPlatform } from "./platform";

/** The laws that every run of every law checks. */
export const ALWAYS = {
  previewsWriteNothing: "a preview writes nothing",
  refusals: "what a preview refuses, an update refuses too",
  truth: "an update does what its preview has shown",
  ids: "an id never changes",
  secrets: "no state, message or error shows a secret",
  named: "a message names the kind of resource of which it speaks",
} as const;

/** Logical name of the example in its program. */
export const SLOT = "example";

/** One example of one resource type, with which a law is tried. */
export interface Case {
  readonly resource: AnyResource;
  readonly example: Example;
  readonly open: (options: StackOptions) => DeclaredStack | Promise<DeclaredStack>;
  /** Whether interruptions happen at every request, and not only at requests that change something. */
  readonly thorough: boolean;
}

/** A platform with a stack on it, for one trial of one law. */
export class Stage {
  readonly #stops: (() => Promise<void>)[] = [];
  readonly #mayBeNew = new Set<string>();

  private constructor(
    readonly of: Case,
    readonly platform: Platform,
    readonly wire: FaultyWire,
    readonly stack: DeclaredStack,
  ) {}

  /** Runs a trial on a new platform with an empty stack. */
  static async try(of: Case, trial: (stage: Stage) => Promise<void>): Promise<void> {
    const platform = await startPlatform();
    const { api } = platform;
    const wire = await faultyWire(api.url);
    const stack = await of.open({ api, baseUrl: wire.url });
    const stage = new Stage(of, platform, wire, stack);
    try {
      await trial(stage);
    } finally {
      for (const stop of stage.#stops) await stop();
      await stack.close();
      await wire.close();
      await platform.stop();
    }
  }

  get resource(): AnyResource {
    return this.of.resource;
  }

  get example(): Example {
    return this.of.example;
  }

  get outside(): Outside {
    const { outside } = this.example;
    if (!outside) throw new Error(`the example of ${this.resource.type} says nothing of the outside`);
    return outside;
  }

  /** The program with the example, or with other arguments or options of it. `undefined` removes an argument. */
  program(args: Readonly<Record<string, unknown>> = {}, options: Partial<Declared> = {}): Program {
    const wanted = Object.entries({ ...this.example.args, ...args }).filter(([, value]) => value !== undefined);
    const declared = { type: this.resource.type, args: Object.fromEntries(wanted) as Declared["args"], ...options };
    return new Map([...this.needs(), [SLOT, declared]]);
  }

  /** The program without the example. */
  needs(): Program {
    return new Map(Object.entries(this.example.needs ?? {}));
  }

  /** @param law The law that is broken, unless it is the one that is tried. */
  assert(holds: boolean, how: string, law?: string): asserts holds {
    if (!holds) throw new Error(law === undefined ? how : `"${law}" is broken: ${how}`);
  }

  /** Runs a preview and an update, of which both must succeed. */
  async up(program: Program): Promise<Ended> {
    const before = await this.stack.managed();
    const shown = await this.attempt(program, { preview: true });
    const done = await this.attempt(program, { preview: false });
    this.assert(
      shown.failure === undefined || done.failure !== undefined,
      `only the preview failed: ${shown.failure}`,
      ALWAYS.refusals,
    );
    this.assert(done.failure === undefined, `\`pulumi up\` failed: ${done.failure}`);
    const changed = ({ changes }: Ended) => changes.map(({ slot, kind }) => `${kind} ${slot}`).sort();
    this.assert(
      isDeepStrictEqual(changed(shown), changed(done)),
      `the preview showed ${listed(changed(shown))}, and the update did ${listed(changed(done))}`,
      ALWAYS.truth,
    );
    await this.#assertTruth(shown, before);
    return done;
  }

  async #assertTruth({ planned }: Ended, before: ReadonlyMap<string, Managed>): Promise<void> {
    for (const [slot, { type, id, inputs, outputs }] of await this.stack.managed()) {
      const resource = resources.find((one) => one.type === type);
      const expected = planned?.get(slot);
      for (const [property, value] of Object.entries(expected ?? {})) {
        if (!resource || !isKnown(value) || property.startsWith("__")) continue;
        const isSame =
          isDeepStrictEqual(value, outputs[property]) ||
          (resource.properties.hasInput(property) && resource.properties.get(property).isEqual(value, outputs));
        this.assert(
          isSame,
          `the preview showed ${show(value)} for \`${property}\`, which became ${show(outputs[property])}`,
          ALWAYS.truth,
        );
      }
      // A resource whose arguments are the same as before has not been replaced.
      const old = before.get(slot);
      if (old && isDeepStrictEqual(old.inputs, inputs) && old.outputs.deletedAt === undefined)
        this.assert(old.id === id || this.#mayBeNew.has(slot), `${old.id} became ${id}`, ALWAYS.ids);
    }
  }

  /** Allows that the next updates create a resource again, for example because somebody has deleted it. */
  mayBeNew(slot = SLOT): void {
    this.#mayBeNew.add(slot);
  }

  /** Runs a preview or an update, which may fail. */
  async attempt(program: Program, options: RunOptions): Promise<Ended> {
    const first = this.wire.requests.length;
    const ended = await this.stack.run(program, options);
    const writes = this.wire.requests.slice(first).filter(isWrite);
    if (options.preview)
      this.assert(writes.length === 0, `it sent ${writes.map(requestOf).join(", ")}`, ALWAYS.previewsWriteNothing);
    for (const text of [...ended.said, ...(ended.failure === undefined ? [] : [ended.failure])]) {
      await this.#assertNoSecret(text, "a message");
      // A message that nothing answers is about no object.
      if (!this.wire.isTroubled) this.#assertNamed(text, program);
    }
    return ended;
  }

  /** Asserts that a message says of which kind of object it speaks, if objects of the example's type have names. */
  #assertNamed(text: string, program: Program): void {
    if ((this.resource.named ?? this.resource.keyed) === undefined) return;
    const types = [this.resource.type, ...[...program.values()].map(({ type }) => type)];
    const isNamed = types.some((type) => text.toLowerCase().includes(nounOf({ type }).toLowerCase()));
    this.assert(isNamed, `"${text}"`, ALWAYS.named);
  }

  async #assertNoSecret(text: string, where: string): Promise<void> {
    const managed = [...(await this.stack.managed()).values()];
    const secrets = [this.platform.api.apiToken, ...managed.flatMap(secretsIn).map(({ value }) => value)];
    const shown = secrets.find((secret) => text.includes(secret));
    if (shown === undefined) return;
    this.assert(false, `${where} contains a secret: "${text.replaceAll(shown, "…")}"`, ALWAYS.secrets);
  }

  /** Asserts that neither the recorded state nor a property that is no secret contains a secret. */
  async assertStateHidesSecrets(): Promise<void> {
    for (const entry of (await this.stack.managed()).values()) {
      const hidden = new Set(secretsIn(entry).map(({ property }) => property));
      const open = Object.entries(entry.outputs).filter(([property]) => !hidden.has(property));
      for (const [property, value] of open)
        await this.#assertNoSecret(
          JSON.stringify(value) ?? "",
          `the state of ${entry.type}, property \`${property}\`,`,
        );
    }
  }

  /** Runs an update with the example, and returns the example as the stack has recorded it. */
  async made(args?: Readonly<Record<string, unknown>>): Promise<Managed> {
    await this.up(this.program(args));
    return this.managed();
  }

  async managed(): Promise<Managed> {
    const entry = (await this.stack.managed()).get(SLOT);
    this.assert(entry !== undefined, "the state does not contain it");
    return entry;
  }

  /** Asserts that a preview shows no change, and that an update does nothing. */
  async settled(program: Program, when: string): Promise<void> {
    const { changes, failure } = await this.attempt(program, { preview: true });
    this.assert(failure === undefined, `a preview ${when} failed: ${failure}`);
    const shown = changes.map(({ slot, kind, properties }) => [kind, slot, ...properties].join(" "));
    this.assert(changes.length === 0, `a preview ${when} shows ${listed(shown)}`);
    const first = this.wire.requests.length;
    const again = await this.attempt(program, { preview: false });
    this.assert(again.failure === undefined, `an update ${when} failed: ${again.failure}`);
    const writes = this.wire.requests.slice(first).filter(isWrite);
    this.assert(writes.length === 0, `an update ${when} sent ${writes.map(requestOf).join(", ")}`);
  }

  /** Asserts that somebody who looks at the object sees these values of the arguments. */
  async assertSeen(id: string, wanted: Properties, when: string): Promise<void> {
    const seen = await this.outside.look(id, this.platform);
    this.assert(seen !== undefined, `${this.title(id)} does not exist ${when}`);
    const outputs = (await this.stack.managed()).get(SLOT)?.outputs;
    for (const [property, value] of Object.entries(wanted)) {
      if (!(property in seen) || !this.resource.properties.hasInput(property)) continue;
      const isSame = this.resource.properties.get(property).isEqual(value, { ...outputs, ...seen });
      this.assert(isSame, `\`${property}\` should be ${show(value)} ${when}, but is ${show(seen[property])}`);
    }
  }

  /** Returns the ids of all objects of the example's type, or nothing if the platform cannot list them. */
  async idsOutside(): Promise<readonly string[]> {
    return (await this.example.outside?.ids?.(this.platform)) ?? [];
  }

  /** Asserts that the platform has the objects that the stack manages, and besides them only those given. */
  async assertNothingDoubled(before: readonly string[], when: string): Promise<void> {
    if (!this.example.outside?.ids) return;
    const ids = await this.idsOutside();
    const managed = [...(await this.stack.managed()).values()].filter(({ type }) => type === this.resource.type);
    const known = new Set([...before, ...managed.map(({ id }) => id)]);
    const strangers = ids.filter((id) => !known.has(id));
    this.assert(strangers.length === 0, `${when}, nothing manages ${listed(strangers)}`);
    const lost = managed.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
    this.assert(lost.length === 0, `${when}, the state has ${listed(lost)}, which does not exist`);
  }

  title(id: string): string {
    return `${nounOf(this.resource)} ${id}`;
  }

  /** Opens a process of the provider for one call that no program makes. */
  context(): Context {
    const { organization, apiToken } = this.platform.api;
    const instance = new Instance(dbplatform, { baseUrl: this.wire.url, organization, apiToken }, {});
    this.#stops.push(() => instance.close());
    return instance.context({ urn: "", signal: new AbortController().signal });
  }
}

const requestOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

export const show = (value: unknown): string => (isKnown(value) ? (JSON.stringify(value) ?? "nothing") : "unknown");

export const listed = (texts: readonly string[]): string => (texts.length === 0 ? "nothing" : texts.join(", "));

/** Returns the values of a resource that Pulumi must keep secret, which are long enough to be recognized. */
function secretsIn({ type, inputs, outputs }: Managed): { readonly property: string; readonly value: string }[] {
  const resource = resources.find((one) => one.type === type);
  if (!resource) return [];
  const values = { ...outputs, ...inputs };
  const hidden = Object.keys(values).filter((name) => resource.properties.get(name).isSecret(values[name]));
  return hidden.flatMap((property) => textsIn(values[property]).map((value) => ({ property, value })));
}

const SHORTEST_SECRET = 8;

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value].filter(({ length }) => length >= SHORTEST_SECRET)
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
