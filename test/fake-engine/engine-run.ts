import { createHash } from "node:crypto";
import type { AnyResource } from "../../kit/definition";
import type { Difference } from "../../kit/lifecycle/comparison";
import type { Context } from "../../kit/lifecycle/context";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { inputsOfObjectToTakeOver } from "../../kit/lifecycle/interrupted-replacement";
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
  /** Whether a replacement has created another object, but has not deleted this one yet. */
  readonly waiting: boolean;
  /** Whether a replacement has deleted the object, but has not created another one yet. */
  readonly pending: boolean;
}

/** Thrown if the engine itself refuses what a program asks for. */
export class Refused extends Error {}

/** A change of a resource in an update or, in a preview, the change that `pulumi up` would make. */
export interface Change {
  readonly slot: string;
  readonly kind: "create" | "update" | "delete" | "import";
  /** The properties that an update changes, or because of which a resource is replaced. */
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
  /**
   * Whether the run continues after an error, as with `--continue-on-error`. It does not skip what depends on the
   * resource, as the real engine does.
   */
  readonly continuesOnError: boolean;
  /** Called with each response of the lifecycle, in order. The run continues when the promise is fulfilled. */
  readonly trace?: Trace;
}

interface Creation {
  readonly news: Properties;
  readonly old: Entry | undefined;
  /** The differences because of which the old object is replaced. */
  readonly differences?: readonly Difference[];
}

export type Trace = (line: string) => void | Promise<void>;

/**
 * Calls the provider for one resource after another, in the engine's order: reads before an update, imports, checks,
 * diffs, replacements, and deletions.
 */
export class EngineRun {
  state: readonly Entry[];
  readonly changes: Change[] = [];
  /** The errors after which the run has continued. */
  readonly errors: unknown[] = [];
  readonly #seen = new Set<string>();
  /** The objects that this run has deleted, and for which no later step calls Delete. */
  readonly #deletedFirst = new Set<Entry>();

  constructor(readonly options: EngineRunOptions) {
    this.state = options.state;
  }

  async run(): Promise<void> {
    if (this.options.readsFirst) await this.#readEverything();
    for (const [slot, declared] of this.options.program) await this.#attempt(() => this.#register(slot, declared));
    await this.#deleteTheRest();
    for (const error of this.errors) throw error;
  }

  async #attempt(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (thrown) {
      if (!this.options.continuesOnError) throw thrown;
      this.errors.push(thrown);
    }
  }

  async #readEverything(): Promise<void> {
    for (const entry of this.state.filter(({ pending }) => !pending)) {
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
    const slots = [slot, declared.formerName];
    let old = this.state.find((entry) => slots.includes(entry.slot) && !entry.waiting);
    if (old) this.#seen.add(old.slot);
    if (declared.import !== undefined && declared.import !== (old?.importId ?? old?.id))
      old = await this.#import(slot, declared, declared.import, old);
    const ignored = new Set(declared.ignoreChanges);
    const recorded = old?.inputs;
    const unchanged = recorded ? Object.fromEntries([...ignored].map((name) => [name, recorded[name]])) : {};
    const program = present({ ...this.#resolveEach(declared.args), ...unchanged });
    const seed = this.options.seed();
    const { account, run } = context;
    const { urn } = context.platform;
    const checked = (olds?: Properties): Properties => {
      run.recognize(resource, urn, olds ?? {});
      const { inputs, isNameOmitted, failures } = check(resource, {
        news: program,
        olds: olds ?? inputsOfObjectToTakeOver(resource, urn, run) ?? {},
        account,
        propose: nameProposer({ logicalName: slot, randomSeed: createHash("sha256").update(seed).digest() }),
        claim: (property, what) => run.claim(urn, property, what),
      });
      run.note({ step: "check", urn, inputs, isNameOmitted });
      void this.#trace("check", slot, { inputs, failures });
      const [failure] = failures;
      if (failure) throw new Refused(`${failure.property}: ${failure.reason}`);
      return inputs;
    };
    if (!old || this.#deletedFirst.has(old)) return this.#create(slot, declared, { news: checked(), old });
    const news = checked(old.inputs);

    const compared = { id: old.id, oldInputs: old.inputs, state: old.outputs, news, ignored };
    const { differences, deleteBeforeReplace } = await diff(resource, compared, context);
    await this.#trace("diff", slot, { deleteBeforeReplace, differences: namesIn(differences) });
    const kept = { ...old, slot, declared, importId: declared.import };
    const isForced = ({ property }: Difference) => declared.replaceOnChanges?.includes(property.name);
    if (old.pending || differences.some((difference) => difference.replaces || isForced(difference))) {
      if (declared.protect && old.declared.protect)
        throw new Refused(`unable to replace resource "${slot}" as it is currently marked for protection`);
      if (declared.import !== undefined)
        throw new Refused("previously-imported resources that still specify an ID may not be replaced");
      const creation = { news: checked(), differences };
      if (!deleteBeforeReplace && !declared.deleteBeforeReplace)
        return this.#create(slot, declared, { ...creation, old });
      for (const entry of [...(await this.#replacedWith(old))].reverse()) await this.#deleteFirst(entry);
      // An earlier run has deleted the object before its creation failed.
      if (old.pending) this.#deletedFirst.add(old);
      return this.#create(slot, declared, { ...creation, old: old.pending ? old : await this.#deleteFirst(old) });
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
    const entry = { slot, declared, importId: id, waiting: false, pending: false };
    const imported = { ...entry, id, inputs, outputs: state, incomplete };
    this.#add(imported, old);
    return imported;
  }

  async #create(slot: string, declared: Declared, { news, old, differences = [] }: Creation): Promise<void> {
    const resource = this.#resourceOf(declared);
    const context = this.#context(slot, declared);
    this.#note(slot, "create", ...differences.map(({ property }) => property.name));
    const entry = { slot, declared, importId: declared.import, inputs: news, waiting: false, pending: false };
    if (this.options.preview) {
      const { id = "", state: outputs } = await planCreate(resource, news, context);
      await this.#trace("plan create", slot, outputs);
      return this.#add({ ...entry, id, outputs, incomplete: false }, old);
    }
    try {
      const { id, state } = await create(resource, news, context);
      await this.#trace("create", slot, { id, state });
      this.#add({ ...entry, id, outputs: state, incomplete: false }, old);
    } catch (thrown) {
      if (thrown instanceof InitFailedError)
        this.#add({ ...entry, id: thrown.id, outputs: thrown.state, incomplete: true }, old);
      throw thrown;
    }
  }

  /** Adds an object to the state. Its resource's old object is deleted in the end, unless it has been deleted first. */
  #add(made: Entry, old: Entry | undefined): void {
    if (old) this.#replace(old, this.#deletedFirst.has(old) ? undefined : { ...old, waiting: true, pending: false });
    this.state = [...this.state, made];
  }

  /** Deletes the object of a resource that is replaced afterwards. */
  async #deleteFirst(entry: Entry): Promise<Entry> {
    const deleted = { ...entry, pending: true };
    await this.#delete(entry, deleted);
    this.#deletedFirst.add(deleted);
    return deleted;
  }

  /** Returns the resources that would be replaced together with `root`, in creation order. */
  async #replacedWith(root: Entry): Promise<readonly Entry[]> {
    const condemned = new Map([[root.slot, root]]);
    for (const entry of this.state) {
      const { declared, id, inputs, outputs, slot, waiting } = entry;
      if (waiting || this.#deletedFirst.has(entry)) continue;
      const touched = Object.entries(declared.args).filter(([, value]) =>
        needsIn(value).some((needed) => condemned.has(needed)),
      );
      if (touched.length === 0) continue;
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
    const isDeclared = ({ slot }: Entry) => this.#seen.has(slot);
    this.state = this.state.filter((entry) => !entry.pending || isDeclared(entry));
    const rest = this.state.filter((entry) => entry.waiting || !isDeclared(entry));
    const protectedOne = rest.find(({ declared, waiting }) => declared.protect && !waiting);
    if (protectedOne) throw new Refused(`resource "${protectedOne.slot}" cannot be deleted because it is protected`);
    for (const level of levelsOf(rest).reverse()) {
      const ends = await Promise.allSettled(level.map((entry) => this.#attempt(() => this.#delete(entry))));
      const failed = ends.find((end) => end.status === "rejected");
      if (failed) throw failed.reason;
    }
  }

  /** @param left What the state contains instead afterwards. */
  async #delete(entry: Entry, left?: Entry): Promise<void> {
    const { declared, id, inputs, outputs, slot } = entry;
    this.#note(slot, "delete");
    if (!this.options.preview)
      await remove(this.#resourceOf(declared), { id, state: outputs, inputs }, this.#context(slot, declared));
    await this.#trace("delete", slot, id);
    this.#replace(entry, left);
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
