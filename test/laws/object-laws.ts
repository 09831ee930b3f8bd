import { isDeepStrictEqual } from "node:util";
import type { AnyResource } from "../../kit/definition";
import { findByName } from "../../kit/definition";
import { IMPORTED, isKnown, UNKNOWN } from "../../kit/lifecycle/properties";
import type { Property } from "../../kit/property";
import { list } from "../../kit/steps/list";
import { read } from "../../kit/steps/read";
import type { Managed } from "../fake-engine/declared-stack";
import { ALWAYS, type Case, listed, SLOT, type Stage, show } from "./stage";

interface Trial {
  /** Whether the law applies to the resource. Default: it does. */
  applies?(of: Case): boolean;
  /** Whether the law needs the fake engine. */
  readonly inProcess?: true;
  run(stage: Stage): Promise<void>;
}

/** Returns whether an update can change the argument, and the state shows its value. */
const isUpdatable = ({ isSent, isShown, onChange }: Property): boolean =>
  (isShown || !isSent) && onChange !== "replace";

/** Returns whether an update can change the argument and everybody can see it. */
const isPlain = ({ kind }: Property): boolean => kind === "plain";

const upheldOf = ({ properties }: AnyResource): string[] =>
  properties.outputs.filter(({ kind }) => kind === "upheld").map(({ name }) => name);

const canLook = ({ example }: Case): boolean => example.outside !== undefined;
const canDelete = ({ example }: Case): boolean => example.outside?.delete !== undefined;
const canImport = ({ resource }: Case): boolean => resource.unimportable === undefined;

/** Otherwise a preview right after the update would show differences that nobody made. */
async function assertReadAgain(stage: Stage, { id, inputs, outputs }: Managed, when: string): Promise<void> {
  const reading = await read(stage.resource, { id, inputs, state: outputs }, stage.context());
  stage.assert(reading !== undefined, "a read finds nothing");
  for (const property of new Set([...Object.keys(outputs), ...Object.keys(reading.state)])) {
    const [recorded, now] = [outputs[property], reading.state[property]];
    stage.assert(
      isDeepStrictEqual(recorded, now),
      `\`${property}\` was ${show(recorded)} ${when}, and a read returns ${show(now)}`,
    );
  }
}

/** The laws of one object from its creation to its deletion, by the sentences that state them. */
export const objects: Readonly<Record<string, Trial>> = {
  "what was created is what is read": {
    async run(stage: Stage) {
      const made = await stage.made();
      if (canLook(stage.of)) await stage.assertSeen(made.id, made.inputs, "after the creation");
      await stage.assertStateHidesSecrets();
      await assertReadAgain(stage, made, "after the creation");
    },
  },

  "a read returns every shown property, and nothing that is not declared": {
    applies: canImport,
    async run(stage: Stage) {
      const { resource } = stage;
      const { id, inputs } = await stage.made();
      const reading = await read(resource, { id, inputs: {}, state: undefined }, stage.context());
      stage.assert(reading !== undefined, "a read finds nothing");
      const { state } = reading;
      for (const property of Object.keys(state))
        stage.assert(resource.properties.has(property) || property === IMPORTED, `nothing declares \`${property}\``);
      for (const { name: property, isInput, isShown, kind, recorded } of resource.properties) {
        const isMissing = state[property] === undefined;
        if (isMissing && (!isShown || kind === "whileDeleted")) continue;
        const isSet = isInput && isKnown(inputs[property]) && inputs[property] !== undefined;
        stage.assert(!isMissing || !isSet, `it does not return \`${property}\`, which is ${show(inputs[property])}`);
        const { success } = recorded.safeParse(state[property]);
        stage.assert(success, `\`${property}\` is ${show(state[property])}, which its type does not allow`);
      }
      if (!canLook(stage.of)) return;
      const seen = (await stage.outside.look(id, stage.platform)) ?? {};
      for (const [name, value] of Object.entries(seen)) {
        if (!resource.properties.has(name)) continue;
        const property = resource.properties.get(name);
        const isSame = property.isInput
          ? property.isEqual(value ?? undefined, state)
          : isDeepStrictEqual(value, state[name]);
        stage.assert(isSame, `\`${name}\` is ${show(value)}, and a read returns ${show(state[name])}`);
      }
    },
  },

  "a second update is empty": {
    async run(stage: Stage) {
      await stage.made();
      await stage.settled(stage.program(), "after the creation");
    },
  },

  "an argument that is left out has its default": {
    applies: (of) => canLook(of) && of.resource.properties.inputs.some((property) => property.default !== undefined),
    async run(stage: Stage) {
      const { resource } = stage;
      const defaults = Object.fromEntries(
        resource.properties.inputs
          .filter((property) => !property.isRequired && property.isShown && property.default !== undefined)
          .map((property) => [property.name, property.default]),
      );
      const without = Object.fromEntries(Object.keys(defaults).map((property) => [property, undefined]));
      const { id } = await stage.made(without);
      await stage.assertSeen(id, defaults, "after a creation without it");
      await stage.settled(stage.program(without), "without arguments that have a default");
    },
  },

  "a changed argument is changed on the platform": {
    async run(stage: Stage) {
      const { resource, example } = stage;
      const made = await stage.made();
      let kept = {};
      for (const { name: property, onChange, isWritten } of resource.properties.inputs) {
        if (!(property in example.changedArgs) || !isWritten) continue;
        const when = `after a change of \`${property}\``;
        const [replaces, isIgnored] = [onChange === "replace", onChange === "warn"];
        const before = await stage.managed();
        if (replaces) stage.mayBeNew();
        const changed = { ...kept, [property]: example.changedArgs[property] };
        const program = stage.program(changed);
        const { changes } = await stage.up(program);
        const isNoticed = changes.some(({ slot }) => slot === SLOT);
        stage.assert(isNoticed || isIgnored, `nothing happens ${when} in the program`);
        const now = await stage.managed();
        if (!replaces) stage.assert(now.id === before.id, `${before.id} became ${now.id} ${when}`, ALWAYS.ids);
        if (canLook(stage.of)) await stage.assertSeen(now.id, isIgnored ? made.inputs : now.inputs, when);
        await assertReadAgain(stage, now, when);
        await stage.settled(program, when);
        if (example.irreversible?.includes(property)) {
          kept = changed;
          continue;
        }
        await stage.up(stage.program(kept));
        await stage.settled(stage.program(kept), `after a change of \`${property}\` and back`);
      }
    },
  },

  "a removed argument returns to its default": {
    applies: (of) =>
      of.resource.properties.inputs.some(
        (property) => property.name in of.example.args && isUpdatable(property) && !property.isRequired,
      ),
    async run(stage: Stage) {
      const { resource, example } = stage;
      await stage.made();
      for (const property of Object.keys(example.args)) {
        const removed = resource.properties.get(property);
        if (!isUpdatable(removed) || removed.isRequired) continue;
        const when = `after \`${property}\` was removed`;
        const program = stage.program({ [property]: undefined });
        await stage.up(program);
        const { id } = await stage.managed();
        const byItself = removed.default;
        if (canLook(stage.of) && byItself !== undefined) await stage.assertSeen(id, { [property]: byItself }, when);
        await stage.settled(program, when);
        await stage.up(stage.program());
      }
    },
  },

  "drift of every property is shown and put back": {
    applies: ({ example }) => example.outside?.change !== undefined,
    async run(stage: Stage) {
      const { resource, example, outside, platform } = stage;
      const { id, inputs } = await stage.made();
      const drifting = [
        ...Object.keys(example.args).filter((property) => isPlain(resource.properties.get(property))),
        ...Object.keys(example.changedArgs).filter((property) => resource.properties.get(property).kind === "derived"),
        ...upheldOf(resource),
      ];
      for (const property of drifting) {
        const value = example.changedArgs[property];
        const when = `after somebody changed \`${property}\``;
        await outside.change?.(id, { [property]: value }, platform);
        const { changes, failure } = await stage.attempt(stage.program(), { preview: true });
        stage.assert(failure === undefined, `a preview ${when} failed: ${failure}`);
        const shown = changes.find(({ slot, kind }) => slot === SLOT && kind === "update");
        stage.assert(
          shown?.properties.some((path) => path.split(/[.[]/)[0] === property) === true,
          `a preview does not show that somebody changed \`${property}\` to ${show(value)}`,
        );
        await stage.up(stage.program());
        await stage.assertSeen(id, inputs, when);
        await stage.settled(stage.program(), when);
      }
    },
  },

  "an import equals its declaration": {
    applies: canImport,
    async run(stage: Stage) {
      const made = await stage.made();
      await stage.stack.forget(SLOT);
      const imported = stage.program({}, { import: made.id });
      const first = stage.wire.requests.length;
      await stage.up(imported);
      const writes = stage.wire.requests.slice(first).filter(({ method }) => method !== "GET");
      const expected = stage.program({}, { import: made.id });
      stage.assert((await stage.managed()).id === made.id, `${made.id} was imported under another id`, ALWAYS.ids);
      if (stage.resource.properties.inputs.every(({ isShown }) => isShown))
        stage.assert(writes.length === 0, `the import changed something: ${listed(writes.map(({ path }) => path))}`);
      await stage.settled(expected, "after the import");
      await stage.settled(stage.program(), "without the option `import`");
    },
  },

  "an object is imported by its id alone": {
    applies: canImport,
    async run(stage: Stage) {
      const made = await stage.made();
      const importing = async (other: string) => {
        const { failure } = await stage.attempt(stage.program({}, { import: other }), { preview: false });
        return failure === undefined ? (await stage.managed()).id : made.id;
      };
      await stage.stack.forget(SLOT);
      const name = stage.resource.named && String(made.outputs.name);
      if (name !== undefined && name !== made.id)
        stage.assert(
          (await importing(name)) === made.id,
          `${made.id} was imported under its name, "${name}"`,
          ALWAYS.ids,
        );
      const spelled = made.id.replace(/[a-z]/i, (letter) =>
        letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
      );
      if (spelled !== made.id)
        stage.assert((await importing(spelled)) === made.id, `${made.id} was imported as "${spelled}"`, ALWAYS.ids);
    },
  },

  "an object has the same id wherever it is found": {
    applies: ({ resource, example }) =>
      Boolean(resource.list ?? resource.named ?? resource.keyed ?? example.outside?.ids),
    async run(stage: Stage) {
      const { resource } = stage;
      const others = await stage.idsOutside();
      const made = await stage.made();
      const context = stage.context();
      const found: [string, string | undefined][] = [];
      if (resource.named) {
        const named = await findByName(resource, made.outputs.name, context.platform);
        found.push(["found by its name", named?.id]);
        const ids = await resource.named.ids(context.platform);
        found.push(["in the ids of all objects", ids?.has(made.id) === false ? "missing" : made.id]);
      }
      const { keyed } = resource;
      if (keyed)
        found.push(["found by its key", (await keyed.find(String(made.inputs[keyed.by]), context.platform))?.id]);
      for (const [where, id] of found)
        stage.assert(id === made.id, `${made.id} is ${id ?? "not there"} when it is ${where}`);
      await stage.assertNothingDoubled(others, "after the creation");
    },
  },

  "a list is complete": {
    applies: ({ resource, example }) => resource.list !== undefined && example.outside?.ids !== undefined,
    async run(stage: Stage) {
      const { resource, example } = stage;
      const key = resource.named ? "name" : resource.keyed?.by;
      const another = key !== undefined && example.changedArgs[key];
      const program = new Map(stage.program());
      const declared = program.get(SLOT);
      if (another && declared)
        program.set("another", { ...declared, args: { ...declared.args, [key ?? ""]: another } });
      await stage.up(program);
      const ids = await stage.idsOutside();
      const shown: string[] = [];
      for await (const { id } of list(resource, { query: {}, limit: 0 }, stage.context())) shown.push(id);
      const missing = ids.filter((id) => !shown.includes(id));
      stage.assert(missing.length === 0, `it leaves out ${listed(missing)}`);
      const strangers = shown.filter((id) => !ids.includes(id));
      stage.assert(strangers.length === 0, `it shows ${listed(strangers)}, which does not exist`);
    },
  },

  "what is deleted is gone, and deleting it twice succeeds": {
    async run(stage: Stage) {
      const made = await stage.made();
      await stage.up(stage.needs());
      stage.assert(!(await stage.stack.managed()).has(SLOT), "it is still in the state");
      if (!canDelete(stage.of)) return;
      stage.assert((await stage.outside.look(made.id, stage.platform)) === undefined, `${stage.title(made.id)} exists`);
      stage.mayBeNew();
      const again = await stage.made();
      await stage.outside.delete?.(again.id, stage.platform);
      await stage.up(stage.needs());
      await stage.settled(stage.needs(), "after a second deletion");
    },
  },

  "what is deleted before the update knows it counts as deleted": {
    applies: canDelete,
    inProcess: true,
    async run(stage: Stage) {
      const made = await stage.made();
      await stage.outside.delete?.(made.id, stage.platform);
      const { failure } = await stage.attempt(stage.needs(), { preview: false, readsFirst: false });
      stage.assert(failure === undefined, `deleting it failed: ${failure}`);
      stage.assert(!(await stage.stack.managed()).has(SLOT), "it is still in the state");
    },
  },

  "what is deleted outside is shown, and is there again afterwards": {
    applies: canDelete,
    async run(stage: Stage) {
      const { resource, outside, platform } = stage;
      const made = await stage.made();
      await outside.delete?.(made.id, platform);
      const { changes, failure, said } = await stage.attempt(stage.program(), { preview: true });
      stage.assert(failure === undefined, `a preview failed: ${failure}`);
      stage.assert(changes.length > 0, "a preview does not show the deletion");
      const told = said.join("\n").toLowerCase();
      const name = made.outputs[resource.keyed?.by ?? "name"];
      for (const part of [stage.title("").trim(), ...(typeof name === "string" ? [name] : [])])
        stage.assert(
          told.includes(part.toLowerCase()),
          `the message about the deletion does not name "${part}": ${told}`,
        );
      stage.mayBeNew();
      await stage.up(stage.program());
      const now = await stage.managed();
      if (resource.softDeleted) stage.assert(now.id === made.id, `${made.id} was replaced by ${now.id}`, ALWAYS.ids);
      await stage.assertSeen(now.id, made.inputs, "after the update");
      await stage.settled(stage.program(), "after the update");
    },
  },

  "what is deleted can be imported, which restores it": {
    applies: ({ resource, example }) =>
      resource.softDeleted !== undefined &&
      resource.unimportable === undefined &&
      example.outside?.delete !== undefined,
    async run(stage: Stage) {
      const made = await stage.made();
      await stage.stack.forget(SLOT);
      await stage.outside.delete?.(made.id, stage.platform);
      const program = stage.program({}, { import: made.id });
      await stage.up(program);
      await stage.assertSeen(made.id, made.inputs, "after the import");
      await stage.settled(program, "after the import");
    },
  },

  "what is unknown in a preview stays unknown": {
    inProcess: true,
    async run(stage: Stage) {
      const { resource } = stage;
      const unknown = async (property: string, when: string) => {
        const program = stage.program({ [property]: UNKNOWN });
        const { failure, planned } = await stage.attempt(program, { preview: true });
        stage.assert(failure === undefined, `a preview ${when} failed because \`${property}\` is unknown: ${failure}`);
        const value = planned?.get(SLOT)?.[property];
        const isKept = resource.properties.get(property).onChange === "warn" && when.includes("change");
        stage.assert(
          isKept || !isKnown(value),
          `\`${property}\` is unknown, but a preview ${when} shows ${show(value)}`,
        );
      };
      const properties = Object.keys(stage.example.args);
      const needs = stage.needs();
      if (needs.size > 0) await stage.up(needs);
      for (const property of properties) await unknown(property, "of the creation");
      await stage.made();
      for (const property of properties) await unknown(property, "of a change");
    },
  },

  "a taken name is refused by a preview and by an update": {
    applies: ({ resource }) => (resource.named ?? resource.keyed) !== undefined,
    async run(stage: Stage) {
      const others = await stage.idsOutside();
      const made = await stage.made();
      await stage.stack.forget(SLOT);
      const shown = await stage.attempt(stage.program(), { preview: true });
      const done = await stage.attempt(stage.program(), { preview: false });
      stage.assert(done.failure !== undefined, `the name of ${made.id} was used again`);
      stage.assert(shown.failure !== undefined, `only the update refused it: ${done.failure}`);
      stage.assert(shown.failure.includes(made.id), `the refusal does not name ${made.id}: ${shown.failure}`);
      await stage.assertSeen(made.id, made.inputs, "after the refusal");
      await stage.assertNothingDoubled([...others, made.id], "after the refusal");
    },
  },
};

/** Returns what the examples of a resource type do not show, although the laws need it. */
export function missingIn(resource: AnyResource, examples: readonly Case["example"][]): string[] {
  const missing: string[] = [];
  const has = (where: "args" | "changedArgs", property: string) =>
    examples.some((example) => example[where][property] !== undefined);
  for (const { name: property, kind, isWritten } of resource.properties.inputs) {
    if (!isWritten) continue;
    if (!has("args", property) && !has("changedArgs", property)) missing.push(`a value for \`${property}\``);
    if (kind !== "plain") continue;
    if (!has("args", property)) missing.push(`\`${property}\` in \`args\``);
    if (!has("changedArgs", property)) missing.push(`another value for \`${property}\` in \`changedArgs\``);
  }
  for (const property of upheldOf(resource))
    if (!has("changedArgs", property)) missing.push(`another value for \`${property}\` in \`changedArgs\``);
  return missing;
}
