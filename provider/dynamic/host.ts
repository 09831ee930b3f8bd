import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import { Refusal } from "../../platform/client/refusal";
import { type Instance, settings } from "../config";
import { check, isSecret } from "../lifecycle/check";
import type { Context } from "../lifecycle/context";
import { create } from "../lifecycle/create";
import { remove } from "../lifecycle/delete";
import { diff, noteGivenName } from "../lifecycle/diff";
import { createByImport, findImported } from "../lifecycle/import";
import { InitFailedError } from "../lifecycle/init-failed";
import { proposer } from "../lifecycle/naming";
import { isKnown, type Properties, traitsOf } from "../lifecycle/properties";
import { readManaged } from "../lifecycle/read";
import { noteName } from "../lifecycle/session";
import { update } from "../lifecycle/update";
import type { AnyResource } from "../resource/definition";
import { resources } from "../resources/list";
import { instanceOf } from "./instances";
import { withoutStack } from "./thrown";
import { decode, encode, HIDDEN, hidden, visible } from "./values";

export { functions } from "./functions";
export { isExpected } from "./thrown";

/** A dynamic provider for every resource, by type. */
export const providers: Readonly<Record<string, dynamic.ResourceProvider>> = Object.fromEntries(
  resources.map((resource) => [resource.type, guarded(dynamicProvider(resource))]),
);

/** Whether the value of an argument is a secret: this protocol's Check cannot say so, the program must. By type and name. */
export const secretArguments: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> =
  Object.fromEntries(resources.map((resource) => [resource.type, mayBeSecret(resource)]));

/** Wraps a provider so that each method throws only errors that Pulumi can show. */
function guarded(provider: dynamic.ResourceProvider): dynamic.ResourceProvider {
  const methods = Object.entries(provider) as [string, (...args: readonly unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    methods.map(([name, method]) => [name, (...args: readonly unknown[]) => withoutStack(() => method(...args))]),
  ) as unknown as dynamic.ResourceProvider;
}

const settingsKnown = (properties: Properties): boolean => isKnown(decode(properties[HIDDEN.settings]));

function mayBeSecret(resource: AnyResource) {
  const names = Object.keys(resource.args.shape).filter((name) => traitsOf(resource, name).semantics?.secret);
  return Object.fromEntries(names.map((name) => [name, (value: unknown) => isSecret(resource, name, value)]));
}

/** The same lifecycle as behind the plugin, within what Pulumi's dynamic providers can say. */
function dynamicProvider(resource: AnyResource): dynamic.ResourceProvider {
  let ofTheStack: Properties = {};

  /** By the settings that the resource brings, or by those of the stack. */
  const configured = (properties: Properties): Instance =>
    instanceOf((properties[HIDDEN.settings] ?? ofTheStack) as Properties);

  // This protocol has neither a cancellation, nor URNs, nor a way to tell the user something.
  const contextOf = (properties: Properties, urn: string): Context =>
    configured(properties).context({ urn, signal: new AbortController().signal, log: () => {} });

  /**
   * In place of a URN, of which there is one for each resource: its id; before it has one, its name in the program
   * (decision 113).
   */
  const byId = (id: string): string => `${resource.type} ${id}`;
  const logicalNameOf = (news: Properties): string => String(news[HIDDEN.name] ?? resource.type);
  const byName = (news: Properties): string => `${resource.type} "${logicalNameOf(news)}"`;

  const outputs = (state: Properties, inputs: Properties) =>
    encode({ ...state, [HIDDEN.inputs]: visible(inputs), [HIDDEN.settings]: inputs[HIDDEN.settings] });

  return {
    async configure({ config }) {
      const given = Object.keys(settings.shape).map((name) => [name, config.get(`dbplatform:${name}`)]);
      ofTheStack = Object.fromEntries(given);
    },

    async check(olds: Properties, news: Properties) {
      // With settings that are not known yet, nothing can be said yet.
      if (!settingsKnown(news)) return { inputs: { ...news } };
      const logicalName = logicalNameOf(news);
      const { organization, session } = configured(news);
      session.noteDeclared(byName(news));
      const { inputs, failures } = check(resource, {
        news: visible(news),
        olds: await named(olds, news),
        organizationSlug: organization.slug,
        propose: proposer({ logicalName, randomSeed: new Uint8Array() }),
        claim: (property, what) => session.claim(byName(news), property, what),
      });
      // In a preview the engine calls neither Create nor Update, so what uses a new name learns it here or from Diff.
      if (Object.keys(olds).length === 0) {
        noteName(resource, byName(news), inputs, session);
        if (typeof inputs.name === "string" && news[HIDDEN.import] === undefined)
          session.notePlanned(resource.type, inputs.name, logicalName);
      }
      return { inputs: { ...encode(inputs), ...hidden(news) }, failures };
    },

    async diff(id, olds: Properties, news: Properties) {
      if (!settingsKnown(news)) return { changes: true };
      const imported = news[HIDDEN.import];
      if (imported !== undefined && imported !== id)
        throw new Refusal("conflict", {
          answer: `this resource manages ${id} already, and \`import\` says ${imported}`,
          advice: `To import ${imported}, declare a second resource with another logical name and another \`name\`, and set \`import\` there; remove \`import\` here`,
        });
      const context = contextOf(news, byId(id));
      // Not in a refresh, which compares before the program has run.
      if (context.session.isDeclared(byName(news))) context.session.noteDeclared(byId(id));
      const { differences, deleteBeforeReplace } = await diff(resource, compared(id, olds, news), context);
      noteGivenName(resource, compared(id, olds, news), context.session);
      const lack = context.session.lackOf(byId(id));
      if (lack !== undefined) context.session.noteLack(byName(news), lack);
      const replaces = differences.filter((difference) => difference.replaces).map(({ property }) => property);
      if (imported !== undefined && replaces.length > 0)
        throw new Refusal("conflict", {
          answer: `a change of ${replaces.join(", ")} replaces this resource, and \`import\` still says ${imported}`,
          advice: "Remove `import`, then change it",
        });
      // Other settings are remembered, since reads and deletions have no others.
      const resettled = !isDeepStrictEqual(olds[HIDDEN.settings], news[HIDDEN.settings]);
      return { changes: resettled || differences.length > 0, replaces: [...new Set(replaces)], deleteBeforeReplace };
    },

    async create(inputs: Properties) {
      const id = inputs[HIDDEN.import];
      const args = visible(inputs);
      const created = await recorded(inputs, () =>
        typeof id === "string"
          ? createByImport(resource, id, args, contextOf(inputs, byName(inputs)))
          : create(resource, args, contextOf(inputs, byName(inputs))),
      );
      return { id: created.id, outs: outputs(created.state, inputs) };
    },

    async read(id, properties: Properties = {}) {
      const { inputs, state } = remembered(properties);
      const kept = (found: Properties) => outputs(found, { ...inputs, [HIDDEN.settings]: properties[HIDDEN.settings] });
      try {
        const read = await readManaged(resource, { id, inputs, state }, contextOf(properties, byId(id)));
        return read ? { id, props: kept(read.state) } : {};
      } catch (found) {
        // This protocol's Read cannot say "exists, but": the difference must show itself.
        if (found instanceof InitFailedError) return { id, props: kept(found.state) };
        throw found;
      }
    },

    async update(id, olds: Properties, news: Properties) {
      const state = await recorded(news, () => update(resource, compared(id, olds, news), contextOf(news, byId(id))));
      return { outs: outputs(state, news) };
    },

    async delete(id, properties: Properties) {
      await remove(resource, { id, state: remembered(properties).state }, contextOf(properties, byId(id)));
    },
  };

  /** What an import does not name keeps the name that it has. */
  async function named(olds: Properties, news: Properties): Promise<Properties> {
    const id = news[HIDDEN.import];
    if (typeof id !== "string" || Object.keys(olds).length > 0) return visible(olds);
    return (await findImported(resource, id, contextOf(news, byId(id)))).inputs;
  }

  /** What exists but is not as wanted goes to the engine as Pulumi's host expects it, with what a later run needs. */
  async function recorded<T>(inputs: Properties, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof InitFailedError)) throw thrown;
      const properties = { ...outputs(thrown.state, inputs), [HIDDEN.provider]: inputs[HIDDEN.provider] };
      throw Object.assign(new Error(thrown.message, { cause: thrown }), {
        id: thrown.id,
        properties,
        reasons: [...thrown.reasons],
      });
    }
  }
}

function remembered(properties: Properties): { inputs: Properties; state: Properties } {
  const inputs = properties[HIDDEN.inputs];
  return { inputs: (inputs ?? {}) as Properties, state: visible(properties) };
}

function compared(id: string, olds: Properties, news: Properties) {
  const { inputs, state } = remembered(olds);
  return { id, oldInputs: inputs, state, news: visible(news) };
}
