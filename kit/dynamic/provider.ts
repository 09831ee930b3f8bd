import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import type { AnyResource } from "../definition";
import type { Instance, Instances } from "../instance";
import { argumentsFromState } from "../lifecycle/arguments";
import { Comparison } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import { inputsOfObjectToTakeOver } from "../lifecycle/interrupted-replacement";
import { lookUpLiveOrDeleted } from "../lifecycle/look-up";
import { nameProposer } from "../lifecycle/naming";
import { isKnown, type Properties } from "../lifecycle/properties";
import { recordableState, runRecordable } from "../lifecycle/recordable";
import { isRefusal, mayComeFromSettings, Refusal } from "../refusal";
import type { Run } from "../run";
import { nameIn } from "../run-events";
import { check } from "../steps/check";
import { create } from "../steps/create";
import { remove } from "../steps/delete";
import { diff } from "../steps/diff";
import { createByImport } from "../steps/import";
import { readManaged } from "../steps/read";
import { update } from "../steps/update";
import {
  assertDynamicEnvironmentShared,
  assertDynamicImportsSame,
  assertDynamicLeftSettingsNamed,
  assertDynamicMovedSettingsNamed,
  assertDynamicNotDeclaredAgain,
  assertDynamicNotReplaced,
  assertDynamicReplacementSeen,
} from "./assertions";
import { SETTINGS_OF_RESOURCE } from "./messages";
import {
  decodeDynamic,
  dynamicImportIdOf,
  dynamicOutputsOf,
  encodeDynamic,
  encodeDynamicInitFailed,
  HIDDEN,
  hiddenDynamicValues,
  recordedDynamicValues,
  visibleDynamicValues,
} from "./values";

/** Serves one resource over Pulumi's protocol for dynamic providers, with the same lifecycle as the plugin. */
export class DynamicProvider implements dynamic.ResourceProvider {
  readonly #resource: AnyResource;
  readonly #instances: Instances;
  #stackSettings: Properties = {};

  constructor(resource: AnyResource, instances: Instances) {
    this.#resource = resource;
    this.#instances = instances;
  }

  async configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    const { name: prefix, settings } = this.#instances.provider;
    const given = Object.keys(settings.schema.shape).map((name) => [name, config.get(`${prefix}:${name}`)]);
    this.#stackSettings = Object.fromEntries(given);
  }

  async check(olds: Properties, given: Properties): Promise<dynamic.CheckResult<Properties>> {
    const { [HIDDEN.environment]: environment = {}, ...news } = given;
    if (!areDynamicSettingsKnown(news)) return { inputs: news };
    assertDynamicEnvironmentShared(this.#instances.provider, environment as Properties, this.#stackSettings);
    const logicalName = dynamicLogicalNameOf(this.#resource, news);
    const urn = this.#urnOfNew(news);
    const { account, run } = this.#configured(news);
    this.#recordGiven(news);
    const isNew = Object.keys(olds).length === 0;
    const { inputs, isNameOmitted, failures } = check(this.#resource, {
      news: visibleDynamicValues(news),
      olds: (isNew && inputsOfObjectToTakeOver(this.#resource, urn, run)) || (await this.#checkedBefore(olds, news)),
      account,
      propose: nameProposer({ logicalName, randomSeed: new Uint8Array() }),
      claim: (property, what) => run.claim(urn, property, what),
    });
    run.note({ step: "check", urn, inputs, isNameOmitted });
    // Check notes the names of new resources, and Diff those of existing resources, because a preview calls neither
    // Create nor Update.
    if (isNew) {
      const as = dynamicImportIdOf(news) === undefined ? logicalName : undefined;
      const name = nameIn(this.#resource, inputs);
      run.note({ step: "plan create", resource: this.#resource, urn, id: urn, name, as });
    }
    return { inputs: { ...encodeDynamic(inputs), ...hiddenDynamicValues(news) }, failures: [...failures] };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
    if (!areDynamicSettingsKnown(news)) return { changes: true };
    assertDynamicImportsSame(id, news);
    const [oldUrn, newUrn] = [this.#urnOf(id), this.#urnOfNew(news)];
    const context = this.#context(news, oldUrn);
    context.run.alias(oldUrn, newUrn);
    const comparison = this.#comparison(id, { olds, news }, context);
    const { differences, deleteBeforeReplace } = await diff(this.#resource, comparison, context);
    context.run.note({ step: "plan update", resource: this.#resource, urn: oldUrn, id, name: comparison.nextName });
    const replacing = new Set(differences.filter(({ replaces }) => replaces).map(({ property }) => property));
    const replaces = [...replacing].map(({ name }) => name);
    assertDynamicNotReplaced(news, replaces);
    assertDynamicReplacementSeen(comparison, replacing);
    await assertDynamicMovedSettingsNamed(comparison, context);
    // Read and Delete use the recorded settings, so changed settings must be recorded.
    const haveSettingsChanged = !isDeepStrictEqual(olds[HIDDEN.settings], news[HIDDEN.settings]);
    // The plugin recorded the state, which lacks what every later call of a dynamic provider needs.
    const isForeign = olds[HIDDEN.inputs] === undefined;
    return {
      changes: isForeign || haveSettingsChanged || differences.length > 0 || areDynamicReferencesChanged(comparison),
      replaces,
      deleteBeforeReplace,
    };
  }

  async create(inputs: Properties): Promise<dynamic.CreateResult> {
    const id = dynamicImportIdOf(inputs);
    const args = visibleDynamicValues(inputs);
    const created = await encodeDynamicInitFailed(inputs, () => {
      const context = this.#context(inputs, this.#urnOfNew(inputs));
      return typeof id === "string"
        ? createByImport(this.#resource, id, args, context)
        : create(this.#resource, args, context);
    });
    return { id: created.id, outs: dynamicOutputsOf(created.state, inputs) };
  }

  read(id: string, properties: Properties = {}): Promise<dynamic.ReadResult> {
    return this.#withRecordedSettings(
      properties,
      () => this.#urnOf(id),
      async (context) => {
        const { inputs, state } = this.#recorded(id, properties, context);
        const outputs = (found: Properties) =>
          dynamicOutputsOf(found, { ...inputs, ...hiddenDynamicValues(properties) });
        const read = await runRecordable(this.#resource, async () => {
          const reading = await readManaged(this.#resource, { id, inputs, state }, context);
          return reading && { id, ...reading };
        });
        return read ? { id, props: outputs(read.state) } : {};
      },
    );
  }

  async update(id: string, olds: Properties, news: Properties): Promise<dynamic.UpdateResult> {
    const context = this.#context(news, this.#urnOf(id));
    const comparison = this.#comparison(id, { olds, news }, context);
    const state = await encodeDynamicInitFailed(news, () => update(this.#resource, comparison, context));
    return { outs: dynamicOutputsOf(state, news) };
  }

  delete(id: string, properties: Properties): Promise<void> {
    return this.#withRecordedSettings(
      properties,
      (run) => this.#urnOfOld(id, properties, run),
      async (context) => {
        const existing = { id, ...this.#recorded(id, properties, context) };
        assertDynamicLeftSettingsNamed(this.#resource, existing, context);
        assertDynamicNotDeclaredAgain(this.#resource, existing, context);
        await remove(this.#resource, existing, context);
      },
    );
  }

  /**
   * Reads or deletes an object, for which Pulumi gives the settings that the last update recorded. If the platform
   * rejects their credential, does so with the settings that the program gives for the same account in this run.
   *
   * @throws Refusal that says how to record the settings of an explicit provider.
   */
  async #withRecordedSettings<T>(
    properties: Properties,
    urnIn: (run: Run) => string,
    work: (context: Context) => Promise<T>,
  ): Promise<T> {
    const workWith = async (given: Properties) => {
      const { run } = this.#configured(given);
      return work(this.#context(given, urnIn(run)));
    };
    const settings = properties[HIDDEN.settings] as Properties | undefined;
    const given = settings && this.#instances.givenInstead(settings);
    try {
      return await workWith(properties).catch((refused) => {
        if (given === undefined || !isRefusal(refused, "unauthenticated")) throw refused;
        return workWith({ [HIDDEN.settings]: given });
      });
    } catch (cause) {
      if (settings === undefined || !mayComeFromSettings(cause)) throw cause;
      const { kind, status, message: answer } = cause;
      throw new Refusal(kind, { answer, advice: SETTINGS_OF_RESOURCE, status, cause });
    }
  }

  #recordGiven({ [HIDDEN.settings]: settings }: Properties): void {
    if (settings !== undefined) this.#instances.recordGiven(settings as Properties);
  }

  /**
   * Returns the inputs of the previous Check. A newly imported object has none, so the inputs are derived from the
   * object itself.
   */
  async #checkedBefore(olds: Properties, news: Properties): Promise<Properties> {
    const id = dynamicImportIdOf(news);
    if (typeof id !== "string" || Object.keys(olds).length > 0) return visibleDynamicValues(olds);
    return (await lookUpLiveOrDeleted(this.#resource, id, this.#context(news, this.#urnOf(id)))).inputs;
  }

  /** Returns what the engine has recorded, as the steps use it. */
  #recorded(id: string, outputs: Properties, context: Context) {
    const recorded = recordedDynamicValues(outputs);
    const state = recordableState(this.#resource, { id, state: recorded.state }, context);
    // A state that the plugin recorded has no inputs among its outputs.
    return { inputs: recorded.inputs ?? argumentsFromState(this.#resource, state), state };
  }

  #comparison(id: string, { olds, news }: { olds: Properties; news: Properties }, context: Context): Comparison {
    const { inputs, state } = this.#recorded(id, olds, context);
    return new Comparison(this.#resource, { id, oldInputs: inputs, state, news: visibleDynamicValues(news) });
  }

  /** Returns the provider instance for the settings of the explicit `Provider`, or for the settings of the stack. */
  #configured(properties: Properties): Instance {
    const settings = properties[HIDDEN.settings] as Properties | undefined;
    // Settings of an explicit provider are recorded in the resource, and `#withRecordedSettings` has the advice for them.
    return settings === undefined ? this.#instances.of(this.#stackSettings) : this.#instances.of(settings, false);
  }

  // Cancellation and messages are missing from the context, because the protocol of dynamic providers supports neither.
  #context(properties: Properties, urn: string): Context {
    return this.#configured(properties).context({ urn, signal: new AbortController().signal });
  }

  /** Returns a substitute for the URN of an existing resource. Pulumi does not pass the URN to dynamic providers. */
  #urnOf(id: string): string {
    return `${this.#resource.type} ${id}`;
  }

  /**
   * Returns the substitute for the URN of the resource that the program declares in the place of an object that Diff has
   * not compared.
   */
  #urnOfOld(id: string, outputs: Properties, run: Run): string {
    const declared = this.#urnOfNew(outputs);
    return outputs[HIDDEN.name] !== undefined && run.resource(declared).inputs ? declared : this.#urnOf(id);
  }

  /**
   * Returns a substitute for the URN of a resource without an id. Pulumi does not pass the URN to dynamic providers.
   * Resources with different parents can have the same logical name.
   */
  #urnOfNew(news: Properties): string {
    const own = `${this.#resource.type} "${dynamicLogicalNameOf(this.#resource, news)}"`;
    const parent = news[HIDDEN.parent];
    return parent === undefined ? own : `${parent}::${own}`;
  }
}

/**
 * Returns whether the program writes a reference in another way than the last update recorded. An update must record
 * it, although it means the same, because the earlier name may belong to another object later: drift would then look
 * like a change in the program, and replace the resource.
 */
const areDynamicReferencesChanged = ({ resource, oldInputs, news }: Comparison): boolean =>
  resource.properties.inputs.some(({ name, references }) => references && oldInputs[name] !== news[name]);

const areDynamicSettingsKnown = (properties: Properties): boolean =>
  isKnown(decodeDynamic(properties[HIDDEN.settings]));

const dynamicLogicalNameOf = ({ type }: AnyResource, news: Properties): string => String(news[HIDDEN.name] ?? type);
