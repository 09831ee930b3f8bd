import type { AnyResource } from "../../kit/definition";
import type { Sides } from "../../kit/lifecycle/comparison";
import type { Context } from "../../kit/lifecycle/context";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { nameProposer } from "../../kit/lifecycle/naming";
import type { Properties } from "../../kit/lifecycle/properties";
import { isRefusal } from "../../kit/refusal";
import type { Run } from "../../kit/run";
import { check } from "../../kit/steps/check";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { createByImport } from "../../kit/steps/import";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { read } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "../lifecycle/lifecycle-fixture";
import { made } from "../lifecycle/managed";

/** An object in the state of the stack. */
export interface Entry {
  readonly resource: AnyResource;
  readonly urn: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

export const organizationSlug = "acme";
export const TENANTS = { name: "tenants", location: "aws-us-east-1", forceDestroy: true };
export const ORDERS = { name: "orders", group: "tenants" };

/**
 * A stack with the group "tenants", the database "orders" in it, and the configuration "limits" of that database. A row
 * calls the steps of one preview or update as the engine does, each with the state that the step before has returned.
 */
export class Stack {
  /** What the last step has refused. */
  refused: string | undefined;

  constructor(
    readonly here: LifecycleFixture,
    public context: Context,
    readonly tenants: Entry,
    public orders: Entry,
    readonly limits: Entry,
  ) {}

  get run(): Run {
    return this.context.run;
  }

  get outside() {
    return clientOf(this.here.api, this.here.api.apiToken);
  }

  get organizationId() {
    return this.here.api.organizationId;
  }

  /** Creates one more object, in an earlier update. */
  async earlier(urn: string, resource: AnyResource, inputs: Properties): Promise<Entry> {
    return { urn, ...(await made(resource, inputs, this.here.newProcess())) };
  }

  async deleteOutside({ id }: Entry): Promise<void> {
    await this.outside.deleteDatabaseById({ organizationId: this.organizationId, databaseId: id });
  }

  async protect({ inputs }: Entry): Promise<void> {
    const body = { delete_protection: true };
    await this.outside.updateDatabaseConfiguration({ organizationSlug, databaseName: String(inputs.name), body });
  }

  /** Starts the run with a token that has only these scopes. */
  async permit(...scopes: readonly string[]): Promise<void> {
    const apiToken = await this.here.api.token({ group: "tenants", scopes: [...scopes] });
    this.context = this.here.newProcess({}, { apiToken, organizationId: this.organizationId });
  }

  async read(entry: Entry): Promise<Entry> {
    const found = await this.#allowed(read(entry.resource, entry, this.at(entry.urn)));
    return { ...entry, state: found?.state ?? {} };
  }

  /** Imports the object in place of whatever the URN manages. */
  async import({ resource, id, urn, inputs }: Entry): Promise<Entry> {
    const found = await this.#allowed(
      read(resource, { id, inputs: {}, state: undefined }, this.at(urn)).catch((thrown) => {
        if (thrown instanceof InitFailedError) return thrown;
        throw thrown;
      }),
    );
    return { resource, id, urn, inputs, state: found?.state ?? {} };
  }

  declare({ resource, urn, inputs: olds }: Entry, news = olds): Properties {
    this.run.recognize(resource, urn, olds);
    const { inputs, isNameOmitted } = check(resource, {
      news,
      olds,
      account: this.context.account,
      propose: nameProposer({ logicalName: urn, randomSeed: new Uint8Array() }),
      claim: (property, what) => this.run.claim(urn, property, what),
    });
    this.run.note({ step: "check", urn, inputs, isNameOmitted });
    return inputs;
  }

  async diff(entry: Entry, news = entry.inputs, ignored?: ReadonlySet<string>) {
    return this.#allowed(diff(entry.resource, compared(entry, news, ignored), this.at(entry.urn)));
  }

  /** Declares the resource and compares it, as the engine does for each resource of the program. */
  async register(entry: Entry, news = entry.inputs) {
    return this.diff(entry, this.declare(entry, news));
  }

  /** Reads and compares, as the engine does before the program runs, then registers. */
  async readAndRegister(entry: Entry, news = entry.inputs): Promise<Entry> {
    const found = await this.read(entry);
    await this.diff(found);
    await this.register(found, news);
    return found;
  }

  async update(entry: Entry, news = entry.inputs, ignored?: ReadonlySet<string>): Promise<Entry> {
    const state = await this.#allowed(update(entry.resource, compared(entry, news, ignored), this.at(entry.urn)));
    return { ...entry, inputs: news, state: state ?? entry.state };
  }

  planUpdate = (entry: Entry, news = entry.inputs) =>
    this.#allowed(planUpdate(entry.resource, compared(entry, news), this.at(entry.urn)));

  create = (urn: string, resource: AnyResource, inputs: Properties) =>
    this.#allowed(create(resource, inputs, this.at(urn)));

  planCreate = (urn: string, resource: AnyResource, inputs: Properties) =>
    this.#allowed(planCreate(resource, inputs, this.at(urn)));

  /** Imports the object while it creates the resource, as the dynamic providers do. */
  createByImport = (urn: string, { resource, id, inputs }: Entry) =>
    this.#allowed(createByImport(resource, id, inputs, this.at(urn)));

  delete = (entry: Entry) => this.#allowed(remove(entry.resource, entry, this.at(entry.urn)));

  at = (urn: string): Context => ({ ...this.context, platform: { ...this.context.platform, urn } });

  async #allowed<T>(step: Promise<T>): Promise<T | undefined> {
    this.refused = undefined;
    return step.catch((thrown: Error) => {
      if (!isRefusal(thrown)) throw thrown;
      this.refused = thrown.message;
      return undefined;
    });
  }
}

const compared = ({ id, inputs, state }: Entry, news: Properties, ignored?: ReadonlySet<string>): Sides => ({
  ...{ id, oldInputs: inputs, state, news },
  ...(ignored ? { ignored } : {}),
});

export async function openStack(): Promise<Stack> {
  const here = await lifecycleFixture();
  const earlier = here.newProcess();
  const tenants = { urn: "tenants", ...(await made(group, TENANTS, earlier)) };
  const orders = { urn: "orders", ...(await made(database, ORDERS, earlier)) };
  const limits = {
    urn: "limits",
    ...(await made(databaseConfiguration, { database: orders.id, blockWrites: true }, earlier)),
  };
  return new Stack(here, here.newProcess(), tenants, orders, limits);
}
