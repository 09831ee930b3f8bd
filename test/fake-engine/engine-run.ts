import { createHash } from "node:crypto";
import type { AnyResource } from "../../kit/definition";
import type { Difference } from "../../kit/lifecycle/comparison";
import type { Context } from "../../kit/lifecycle/context";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { nameProposer } from "../../kit/lifecycle/naming";
import { isKnown, type Properties, present, UNKNOWN } from "../../kit/lifecycle/properties";
import type { Provider } from "../../kit/provider";
import { check } from "../../kit/steps/check";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { read as readByEngine } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { type Declared, isOutput, needsIn, needsOf, type Program, type Value } from "./declared-program";

export interface Entry {
  readonly slot: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly declared: Declared;
  readonly importId: string | undefined;
  readonly incomplete: boolean;
  readonly waiting: boolean;
}

/** Thrown if the engine itself refuses what a program asks for. */
export class Refused extends Error {}

/** A change of a resource in an update or, in a preview, the change that `pulumi up` would make. */
export interface Change {
  readonly slot: string;
  readonly kind: "create" | "update" | "delete" | "import";
  /** The properties that an update changes. */
  readonly properties: readonly string[];
}

/** The parts of a provider that the fake engine needs. */
export type Played = Pick<Provider, "name" | "resources">;

export interface EngineRunOptions {
  readonly provider: Played;
  readonly state: readonly Entry[];
  readonly program: Program;
  readonly preview: boolean;
  /** Returns the context of the resource with the given URN. All contexts share one provider process. */
  readonly contextOf: (urn: string) => Context;
  readonly seed: () => string;
  /** Whether every resource is read before the program runs. */
  readonly readsFirst: boolean;
  /** Called with each response of the lifecycle, in order. The run continues when the promise is fulfilled. */
  readonly trace?: Trace;
}

export type Trace = (line: string) => void | Promise<void>;

/**
 * Calls the provider for one resource after another, in the engine's order: reads before an update, imports, checks,
 * diffs, replacements, and deletions.
 */
export class EngineRun {
  state: readonly Entry[];
  readonly changes: Change[] = [];
  readonly #seen = new Set<string>();

  constructor(readonly options: EngineRunOptions) {
    this.state = options.state;
  }

  async run(): Promise<void> {
    if (this.options.readsFirst) await this.#readEverything();
    for (const [slot, declared] of this.options.program) await this.#register(slot, declared);
    await this.#deleteTheRest();
  }

  async #readEverything(): Promise<void> {
    for (const entry of this.state) {
      const { id, inputs, outputs, declared, slot } = entry;
      const resource = this.#resourceOf(declared);
      const context = this.#context(slot, declared);
      const read = await partly(() => readByEngine(resource, { id, inputs, state: outputs }, context));
      await this.#trace("read", slot, read);
      if (!read) this.#replace(entry, undefined);
      else {
        const refreshed = read.inputs ?? inputs;
        this.#replace(entry, { ...entry, inputs: refreshed, outputs: read.state, incomplete: read.incomplete });
        const compared = { id, oldInputs: refreshed, state: read.state, news: refreshed };
        const { differences, deleteBeforeReplace } = await diff(resource, compared, context);
        await this.#trace("diff", slot, { deleteBeforeReplace, differences: namesIn(differences) });
      }
    }
  }

  async #register(slot: string, declared: Declared): Promise<void> {
    const resource = this.#resourceOf(declared);
    const context = this.#context(slot, declared);
    this.#seen.add(slot);
    const slots = [slot, declared.alias];
    let old = this.state.find((entry) => slots.includes(entry.slot) && !entry.waiting);
    if (old) this.#seen.add(old.slot);
    if (declared.import !== undefined && declared.import !== (old?.importId ?? old?.id))
      old = await this.#import(slot, declared, declared.import, old);
    const ignored = new Set(declared.ignoreChanges);
    const recorded = old?.inputs;
    const unchanged = recorded ? Object.fromEntries([...ignored].map((name) => [name, recorded[name]])) : {};
    const program = present({ ...this.#resolveEach(declared.args), ...unchanged });
    const seed = this.options.seed();
    const checked = (olds: Properties): Properties => {
      const { inputs, failures } = check(resource, {
        news: program,
        olds,
        account: context.account,
        propose: nameProposer({ logicalName: slot, randomSeed: createHash("sha256").update(seed).digest() }),
        claim: (property, what) => context.run.claim(context.platform.urn, property, what),
      });
      context.run.note({ step: "check", urn: context.platform.urn, inputs });
      void this.#trace("check", slot, { inputs, failures });
      const [failure] = failures;
      if (failure) throw new Refused(`${failure.property}: ${failure.reason}`);
      return inputs;
    };
    const news = checked(old?.inputs ?? {});
    if (!old) return this.#create(slot, declared, news);

    const compared = { id: old.id, oldInputs: old.inputs, state: old.outputs, news, ignored };
    const { differences, deleteBeforeReplace } = await diff(resource, compared, context);
    await this.#trace("diff", slot, { deleteBeforeReplace, differences: namesIn(differences) });
    const kept = { ...old, slot, declared, importId: declared.import };
    const isForced = ({ property }: Difference) => declared.replaceOnChanges?.includes(property.name);
    if (differences.some((difference) => difference.replaces || isForced(difference))) {
      if (declared.protect && old.declared.protect)
        throw new Refused(`unable to replace resource "${slot}" as it is currently marked for protection`);
      if (declared.import !== undefined)
        throw new Refused("previously-imported resources that still specify an ID may not be replaced");
      return this.#createAnew(kept, old, {
        news: checked({}),
        deleteBeforeReplace: deleteBeforeReplace || declared.deleteBeforeReplace === true,
      });
    }
    if (differences.length === 0 && !old.incomplete) {
      this.#replace(old, { ...kept, inputs: news });
      return;
    }
    this.#note(slot, "update", ...differences.map(({ property }) => property.name));
    if (this.options.preview) {
      const outputs = await planUpdate(resource, compared, context);
      await this.#trace("plan update", slot, outputs);
      this.#replace(old, { ...kept, inputs: news, outputs, incomplete: false });
      return;
    }
    try {
      const outputs = await update(resource, compared, context);
      await this.#trace("update", slot, outputs);
      this.#replace(old, { ...kept, inputs: news, outputs, incomplete: false });
    } catch (thrown) {
      if (thrown instanceof InitFailedError) this.#replace(old, { ...old, outputs: thrown.state, incomplete: true });
      throw thrown;
    }
  }

  async #import(slot: string, declared: Declared, id: string, old: Entry | undefined): Promise<Entry> {
    const context = this.#context(slot, declared);
    const resource = this.#resourceOf(declared);
    const read = await partly(() => readByEngine(resource, { id, inputs: {}, state: undefined }, context));
    await this.#trace("import", slot, read);
    if (!read) throw new Error("an import that finds nothing is refused");
    this.#note(slot, "import");
    const { state, inputs = {}, incomplete } = read;
    const imported = { slot, id, inputs, outputs: state, declared, importId: id, incomplete, waiting: false };
    if (old) this.#replace(old, { ...old, waiting: true });
    this.state = [...this.state, imported];
    return imported;
  }

  async #create(slot: string, declared: Declared, news: Properties): Promise<void> {
    const resource = this.#resourceOf(declared);
    const context = this.#context(slot, declared);
    this.#note(slot, "create");
    const entry = { slot, inputs: news, declared, importId: declared.import, incomplete: false, waiting: false };
    if (this.options.preview) {
      const { state: outputs } = await planCreate(resource, news, context);
      await this.#trace("plan create", slot, outputs);
      this.state = [...this.state, { ...entry, id: "", outputs }];
      return;
    }
    try {
      const { id, state } = await create(resource, news, context);
      await this.#trace("create", slot, { id, state });
      this.state = [...this.state, { ...entry, id, outputs: state }];
    } catch (thrown) {
      if (thrown instanceof InitFailedError)
        this.state = [...this.state, { ...entry, id: thrown.id, outputs: thrown.state, incomplete: true }];
      throw thrown;
    }
  }

  async #createAnew(
    kept: Entry,
    old: Entry,
    { news, deleteBeforeReplace }: { news: Properties; deleteBeforeReplace: boolean },
  ) {
    if (deleteBeforeReplace) {
      for (const entry of [...(await this.#replacedWith(old))].reverse()) await this.#delete(entry);
      await this.#delete(old);
      return this.#create(kept.slot, kept.declared, news);
    }
    await this.#create(kept.slot, kept.declared, news);
    this.#replace(old, { ...old, waiting: true });
  }

  /** Returns the resources that would be replaced together with `root`, in creation order. */
  async #replacedWith(root: Entry): Promise<readonly Entry[]> {
    const condemned = new Map([[root.slot, root]]);
    for (const entry of this.state) {
      const { declared, id, inputs, outputs, slot, waiting } = entry;
      const touched = Object.entries(declared.args).filter(([, value]) =>
        needsIn(value).some((needed) => condemned.has(needed)),
      );
      if (waiting || touched.length === 0) continue;
      const news = { ...inputs, ...Object.fromEntries(touched.map(([name]) => [name, UNKNOWN])) };
      const context = this.#context(slot, declared);
      const { differences } = await diff(
        this.#resourceOf(declared),
        { id, oldInputs: inputs, state: outputs, news },
        context,
      );
      await this.#trace("diff with its owner", slot, namesIn(differences));
      if (!differences.some(({ replaces }) => replaces)) continue;
      if (declared.protect)
        throw new Refused(
          `unable to replace resource "${slot}" as part of replacing "${root.slot}" as it is currently marked for protection`,
        );
      condemned.set(slot, entry);
    }
    condemned.delete(root.slot);
    return [...condemned.values()];
  }

  async #deleteTheRest(): Promise<void> {
    const rest = this.state.filter((entry) => entry.waiting || !this.#seen.has(entry.slot));
    const protectedOne = rest.find(({ declared, waiting }) => declared.protect && !waiting);
    if (protectedOne) throw new Refused(`resource "${protectedOne.slot}" cannot be deleted because it is protected`);
    for (const level of levelsOf(rest).reverse()) {
      const ends = await Promise.allSettled(level.map((entry) => this.#delete(entry)));
      const failed = ends.find((end) => end.status === "rejected");
      if (failed) throw failed.reason;
    }
  }

  async #delete(entry: Entry): Promise<void> {
    const { declared, id, inputs, outputs, slot } = entry;
    this.#note(slot, "delete");
    if (!this.options.preview)
      await remove(this.#resourceOf(declared), { id, state: outputs, inputs }, this.#context(slot, declared));
    await this.#trace("delete", slot, id);
    this.#replace(entry, undefined);
  }

  #note(slot: string, kind: Change["kind"], ...properties: string[]): void {
    this.changes.push({ slot, kind, properties });
  }

  async #trace(step: string, slot: string, response: unknown): Promise<void> {
    const shown = (_key: string, value: unknown) => (isKnown(value) ? value : "<unknown>");
    await this.options.trace?.(`${step} ${slot} ${JSON.stringify(response, shown)}`);
  }

  #replace(old: Entry, by: Entry | undefined): void {
    this.state = this.state.flatMap((entry) => (entry === old ? (by ? [by] : []) : [entry]));
  }

  #resolveEach(values: Readonly<Record<string, Value>>): Properties {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#resolve(value)]));
  }

  #resolve(value: Value): unknown {
    if (typeof value !== "object" || Array.isArray(value)) return value;
    if (!isOutput(value)) return this.#resolveEach(value as Readonly<Record<string, Value>>);
    const entry = this.state.findLast((one) => one.slot === value.of && !one.waiting);
    if (!entry) throw new Error(`${value.of} is not there`);
    if (value.output === "id") return entry.id === "" ? UNKNOWN : entry.id;
    const output = entry.outputs[value.output];
    return isKnown(output) ? output : UNKNOWN;
  }

  #resourceOf({ type }: Declared): AnyResource {
    const resource = this.options.provider.resources.find((one) => one.type === type);
    if (!resource) throw new Error(`no resource ${type}`);
    return resource;
  }

  #context(slot: string, { type }: Declared): Context {
    return this.options.contextOf(`urn:pulumi:dev::test::${this.options.provider.name}:index:${type}::${slot}`);
  }
}

/**
 * Sorts entries by depth, so that the entries of a level depend only on earlier levels and can be deleted in parallel.
 */
function levelsOf(entries: readonly Entry[]): Entry[][] {
  const levels: Entry[][] = [];
  const depthOf = ({ declared }: Entry): number =>
    Math.max(
      0,
      ...needsOf(declared).flatMap((slot) => entries.filter((one) => one.slot === slot).map((one) => 1 + depthOf(one))),
    );
  for (const entry of entries) {
    const depth = depthOf(entry);
    levels[depth] = [...(levels[depth] ?? []), entry];
  }
  return levels.filter(Boolean);
}

interface Found {
  readonly state: Properties;
  readonly inputs?: Properties | undefined;
  readonly incomplete: boolean;
}

/**
 * Returns the result of a read. If the read throws an `InitFailedError`, returns the result that the error contains.
 */
async function partly(
  reading: () => Promise<{ state: Properties; inputs: Properties } | undefined>,
): Promise<Found | undefined> {
  try {
    const read = await reading();
    return read && { state: read.state, inputs: read.inputs, incomplete: false };
  } catch (thrown) {
    if (!(thrown instanceof InitFailedError)) throw thrown;
    return { state: thrown.state, inputs: thrown.inputs, incomplete: true };
  }
}

/** Returns the differences with the names of their properties, as a trace shows them. */
const namesIn = (differences: readonly Difference[]) =>
  differences.map(({ property, ...difference }) => ({ property: property.name, ...difference }));
