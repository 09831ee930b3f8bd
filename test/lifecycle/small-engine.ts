import { check } from "../../provider/lifecycle/check";
import type { Context } from "../../provider/lifecycle/context";
import { create } from "../../provider/lifecycle/create";
import { remove } from "../../provider/lifecycle/delete";
import { type Compared, diff } from "../../provider/lifecycle/diff";
import { Incomplete } from "../../provider/lifecycle/incomplete";
import { proposer } from "../../provider/lifecycle/naming";
import { planCreate, planUpdate } from "../../provider/lifecycle/plan";
import { type Properties, UNKNOWN } from "../../provider/lifecycle/properties";
import { readImported, readManaged } from "../../provider/lifecycle/read";
import { update } from "../../provider/lifecycle/update";
import type { AnyResource } from "../../provider/resources/resource";

export interface Declared {
  readonly resource: AnyResource;
  /** `output`: what another resource of the program has there; unknown until that one is there. */
  readonly args: (output: (name: string, property: string) => unknown) => Properties;
  readonly import?: string;
}

/** Resources by name, each after those that it names. */
export type Program = Readonly<Record<string, Declared>>;

export interface Held {
  readonly resource: AnyResource;
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
  /** It exists, but its last step has failed. */
  readonly incomplete?: true;
}

/** What the engine does with a program and a state, one resource after another, ending with the first failure. */
export class SmallEngine {
  readonly state = new Map<string, Held>();
  /** Replaced, and still to be deleted. */
  readonly #left: Held[] = [];

  /** Everything that is in state: also what is only waiting for its deletion. */
  get held(): readonly Held[] {
    return [...this.state.values(), ...this.#left];
  }

  async up(program: Program, context: Context): Promise<void> {
    await this.#refresh(context);
    for (const [name, declared] of Object.entries(program)) await this.#bring(name, declared, context);
    for (const old of [...this.#left]) {
      await remove(old.resource, old, context);
      this.#left.splice(this.#left.indexOf(old), 1);
    }
    for (const [name, held] of [...this.state].reverse()) {
      if (name in program) continue;
      await remove(held.resource, held, context);
      this.state.delete(name);
    }
  }

  /** What changes, as far as it can be told. */
  async preview(program: Program, context: Context): Promise<string[]> {
    await this.#refresh(context);
    const changed: string[] = [];
    for (const [name, declared] of Object.entries(program)) {
      const held = this.state.get(name);
      const inputs = this.#check(name, declared, held?.inputs);
      if (!held) {
        if (declared.import) await this.#import(name, declared, context);
        else await planCreate(declared.resource, inputs, context);
        changed.push(name);
        continue;
      }
      const compared = comparedOf(held, inputs);
      const { differences } = await diff(held.resource, compared, context);
      if (differences.length > 0) changed.push(...differences.map(({ path }) => `${name}.${path}`));
      if (differences.some(({ replaces }) => replaces)) await planCreate(held.resource, inputs, context);
      else if (differences.length > 0) await planUpdate(held.resource, compared, context);
    }
    return [...changed, ...[...this.state.keys()].filter((name) => !(name in program))];
  }

  async #refresh(context: Context): Promise<void> {
    for (const [name, held] of this.state) {
      const { resource, id, inputs, state } = held;
      await this.#recorded(name, resource, async () => {
        const read = await readManaged(resource, { id, inputs, state }, context);
        if (read) this.state.set(name, { ...held, state: read.state });
        else this.state.delete(name);
      }).catch((failure) => {
        // It is there, and the update that follows completes it.
        if (!(failure instanceof Incomplete)) throw failure;
      });
    }
  }

  async #bring(name: string, declared: Declared, context: Context): Promise<void> {
    const { resource } = declared;
    const held = this.state.get(name);
    if (!held && declared.import) {
      await this.#import(name, declared, context);
      return this.#bring(name, declared, context);
    }
    const inputs = this.#check(name, declared, held?.inputs);
    if (!held) return this.#create(name, resource, inputs, context);

    const compared = comparedOf(held, inputs);
    const { differences, deleteBeforeReplace } = await diff(resource, compared, context);
    if (differences.some(({ replaces }) => replaces)) {
      if (deleteBeforeReplace) await remove(resource, held, context);
      else this.#left.push(held);
      if (deleteBeforeReplace) this.state.delete(name);
      return this.#create(name, resource, this.#check(name, declared), context);
    }
    if (differences.length === 0 && !held.incomplete) {
      this.state.set(name, { ...held, inputs });
      return;
    }
    await this.#recorded(
      name,
      resource,
      async () => {
        const state = await update(resource, compared, context);
        this.state.set(name, { resource, id: held.id, inputs, state });
      },
      inputs,
    );
  }

  async #create(name: string, resource: AnyResource, inputs: Properties, context: Context): Promise<void> {
    const before = this.state.get(name);
    await this.#recorded(
      name,
      resource,
      async () => {
        const { id, state } = await create(resource, inputs, context);
        this.state.set(name, { resource, id, inputs, state });
      },
      inputs,
    ).catch((failure) => {
      // Nothing has taken its place.
      if (before && this.state.get(name) === before) this.#left.splice(this.#left.indexOf(before), 1);
      throw failure;
    });
  }

  async #import(name: string, { resource, import: id = "" }: Declared, context: Context): Promise<void> {
    await this.#recorded(name, resource, async () => {
      const { state, inputs } = await readImported(resource, id, context);
      this.state.set(name, { resource, id, inputs, state });
    }).catch((found) => {
      if (!(found instanceof Incomplete)) throw found;
    });
  }

  /** What exists but is not as wanted is kept, whatever the failure. */
  async #recorded(name: string, resource: AnyResource, work: () => Promise<void>, given?: Properties): Promise<void> {
    try {
      await work();
    } catch (failure) {
      if (failure instanceof Incomplete) {
        const inputs = failure.inputs ?? given ?? this.state.get(name)?.inputs ?? {};
        this.state.set(name, { resource, id: failure.id, inputs, state: failure.state, incomplete: true });
      }
      throw failure;
    }
  }

  #output(name: string, property: string): unknown {
    const held = this.state.get(name);
    return (property === "id" ? held?.id : held?.state[property]) ?? UNKNOWN;
  }

  #check(name: string, { resource, args }: Declared, olds: Properties = {}): Properties {
    const { inputs, failures } = check(resource, {
      news: args((other, property) => this.#output(other, property)),
      olds,
      organizationSlug: "acme",
      propose: proposer({ logicalName: name, randomSeed: new Uint8Array(32) }),
    });
    if (failures.length > 0) throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join());
    return inputs;
  }
}

const comparedOf = ({ id, inputs, state }: Held, news: Properties): Compared => ({
  id,
  oldInputs: inputs,
  state,
  news,
});
