import * as z from "zod";
import type { ResourceContext } from "./context";
import type { AnyResource, Resource } from "./definition";
import type { FieldOptions, InputField, InputFields, OutputField, OutputFields } from "./field";
import { present } from "./lifecycle/properties";
import { deletedRestorable, noSuchObject } from "./lifecycle/restore/messages";
import { bringsOf, nounOf, titleOf } from "./phrases";
import {
  Absent,
  Deleted,
  type Inputs,
  Live,
  type NowContext,
  type Reading,
  type Spec,
  type State,
  type UpdateContext,
} from "./resource";
import type { Ids, Listed, Made, ReadResult } from "./results";
import type { PropertyTraits } from "./traits";

type Values = Readonly<Record<string, unknown>>;
// The types of the properties have done their work once the author's program is checked.
type AnySpec = Spec<unknown, Record<string, InputField>, Record<string, OutputField>>;
type Context = ResourceContext<unknown>;

/** Turns what an author writes into the definition that the steps of the lifecycle use. */
export function define<P, A extends InputFields, O extends OutputFields>(
  written: Spec<P, A, O>,
): Resource<Inputs<A>, State<A, O>> {
  return defineResource(written as unknown as AnySpec) as unknown as Resource<Inputs<A>, State<A, O>>;
}

function defineResource(spec: AnySpec): AnyResource {
  const { inputs, outputs, moves, same, loses, recall, named, softDeleted, update, ...written } = spec;
  const { importing, unimportable, list } = spec;
  const made = ({ id, state }: Made<Values>) => ({ id, state: definedProperties(spec, state) });
  const found = (one: Made<object> | undefined) => one && made(one as Made<Values>);
  // The platform never shows these values, so the state records what was sent.
  const sentUnseen = (sent: Values) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => inputs[name]?.options.describeValue !== undefined));
  const state = defineStateSchema(spec);
  return {
    ...written,
    args: defineArgsSchema(spec),
    state,
    traits: Object.fromEntries(Object.keys(inputs).map((name) => [name, defineTraits(spec, name)])),
    shownOnce: Object.keys(outputs).filter((name) => outputs[name]?.kind === "shownOnce"),
    upheld: Object.fromEntries(
      Object.entries(outputs).flatMap(([name, { kind, options }]) =>
        kind === "upheld" ? [[name, options.value]] : [],
      ),
    ),
    ...(named && {
      named: {
        ids: async (context: Context) => list && idsIn(list({ ...context, deleted: false })),
        ...named,
        find: async (name: string, context: Context) => found(await named.find(name, context)),
        ...(named.recall && {
          async recall(name: string, context: Context & { readonly since: "seconds" | "run" }) {
            const recalled = await named.recall?.(name, context);
            return recalled === "free" ? recalled : found(recalled);
          },
        }),
      },
    }),
    ...(softDeleted && {
      softDeleted: {
        ...softDeleted,
        restore: async (id: string, wanted: Values, context: NowContext<unknown, Values>) =>
          definedProperties(spec, await softDeleted.restore(id, wanted, context)),
      },
    }),
    identify: async (id, context) => unimportable ?? importing?.problem?.(id, context),
    async read(id, known, since, context) {
      const asked = { ...context, known };
      const recalled = since === "seconds" ? await recall?.(id, asked) : undefined;
      return defineReadResult(spec, recalled ?? (await spec.read(id, asked)), { id, known });
    },
    async create(wanted, context) {
      const { id, state } = made(await spec.create(wanted, context));
      return { id, state: present({ ...sentUnseen(wanted), ...state }) };
    },
    ...(update && {
      update: async (id: string, changes: Values, context: UpdateContext<unknown, Values, Values>) =>
        definedProperties(spec, {
          ...context.now,
          ...sentUnseen(changes),
          ...((await update(id, changes, context)) as Values),
        }),
    }),
  } as AnyResource;
}

async function idsIn(list: AsyncIterable<Listed>): Promise<Ids> {
  const ids = new Set<string>();
  for await (const { id } of list) ids.add(id);
  return ids;
}

function defineArgsSchema({ inputs, named }: AnySpec): z.ZodObject {
  return z.object(
    Object.fromEntries(
      Object.entries(inputs).map(([name, { schema, options }]) => [
        name,
        // The kit generates a name that the program omits.
        (named && name === "name" ? schema.optional() : schema).describe(options.describe),
      ]),
    ),
  );
}

const defineWhileDeleted = (description: string) =>
  z.iso.datetime().optional().meta({ description, whileDeleted: true });

const defineDeletionTimes = ({ describe }: NonNullable<AnySpec["softDeleted"]>) => ({
  deletedAt: defineWhileDeleted(
    describe?.deletedAt ?? "Time of the deletion (RFC 3339). Present only while the object is deleted.",
  ),
  restorableUntil: defineWhileDeleted(
    "Time until which the object can be restored (RFC 3339). Present only while it is deleted.",
  ),
});

function defineStateSchema({ inputs, outputs, softDeleted }: AnySpec): z.ZodObject {
  const shown = Object.entries(outputs).map(([name, output]) => [name, defineOutputSchema(output)] as const);
  const isTime = (name: string) => outputs[name]?.kind === "whileDeleted";
  return z.object({
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, { schema, options }]) => {
        const { describe, describeOutput = describe, isAlwaysShown } = options;
        return [name, (isAlwaysShown ? z.nonoptional(schema) : schema).describe(describeOutput)];
      }),
    ),
    ...Object.fromEntries(shown.filter(([name]) => !isTime(name))),
    ...(softDeleted && defineDeletionTimes(softDeleted)),
    ...Object.fromEntries(shown.filter(([name]) => isTime(name))),
  });
}

function defineOutputSchema({ kind, schema, options: { describe: description } }: OutputField): z.ZodType {
  const said = { ...schema.meta(), description };
  if (kind === "whileDeleted") return schema.optional().meta({ ...said, whileDeleted: true });
  return schema.meta(kind === "shownOnce" ? { ...said, shownOnce: true } : said);
}

const KINDS: Readonly<Record<InputField["kind"], PropertyTraits>> = {
  plain: {},
  replaces: { requiresReplace: true },
  createOnly: {},
  writeOnly: {},
  writeOnlyReplaces: { requiresReplace: true },
  local: { local: true },
  keepers: { requiresReplace: true, local: true },
  trigger: {},
};

function defineTraits(spec: AnySpec, name: string): PropertyTraits {
  const { kind, options } = spec.inputs[name] as InputField;
  const [moves, loses] = [spec.moves?.[name], spec.loses?.[name]];
  const { instead, atFirst, isContent, describeValue, isRecordedIfSet, default: byItself } = options;
  return {
    ...KINDS[kind],
    ...(instead === undefined ? {} : { createOnly: instead }),
    ...(isContent && { content: isContent }),
    ...(atFirst && { trigger: atFirst }),
    ...(describeValue && { writeOnly: { describe: (value, now) => describeValue(value, now) } }),
    ...(byItself === undefined ? {} : { default: byItself }),
    ...(moves && { changesOutputs: moves }),
    ...(isRecordedIfSet && { recordedIfSet: true }),
    ...(loses && {
      replacementWarning: (title, now, wanted, { context, ...losing }) =>
        loses(wanted as never, { ...context, ...losing, title, now } as never),
    }),
    semantics: defineSemantics(options, spec.same?.[name]),
  };
}

function defineSemantics(
  { valid, warns, same, keeps, secret, preflight, references, describeValue }: FieldOptions,
  sameWithOthers: ((...facts: never[]) => boolean) | undefined,
): PropertyTraits["semantics"] {
  return {
    ...(valid && { validate: (wanted, account) => valid(wanted, account) }),
    ...(describeValue ? { secret: () => true } : secret && { secret: (wanted) => secret(wanted) }),
    ...(warns && { warnings: (wanted) => warns(wanted) }),
    ...(keeps && { standsFor: (wanted, observed) => keeps(wanted, observed) }),
    ...(preflight && {
      preflight: (wanted, context, gone, beside) => preflight(wanted, { ...context, gone, beside }),
    }),
    ...(references && { reference: references }),
    ...(sameWithOthers
      ? { semanticallyEqual: sameWithOthers as never }
      : same && { semanticallyEqual: (wanted, observed) => same(wanted, observed) }),
  };
}

/** Returns what the platform shows, without the properties that have no value. */
const definedProperties = ({ inputs }: AnySpec, properties: Values): Values =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([name, value]) => value !== undefined && (value !== null || inputs[name]?.options.default !== null),
    ),
  );

function defineReadResult(
  spec: AnySpec,
  found: Reading<Values>,
  { id, known = {} }: { readonly id: string; readonly known: Values | undefined },
): ReadResult<Values> {
  const { type, outputs } = spec;
  if (found === undefined) return { status: "absent", message: noSuchObject({ kind: nounOf({ type }), id }) };
  if (found instanceof Absent) return found.result;
  const isKept = (name: string) => outputs[name]?.kind === "kept" || outputs[name]?.kind === "shownOnce";
  const kept = Object.keys(outputs).filter((name) => isKept(name) && known[name] !== undefined);
  const whole = (read: Values) =>
    definedProperties(spec, { ...read, ...Object.fromEntries(kept.map((name) => [name, read[name] ?? known[name]])) });
  if (found instanceof Deleted) {
    const { state, message } = found.result;
    return {
      status: "deleted",
      state: whole(state),
      message:
        message ?? deletedRestorable({ title: titleOf(spec, state), id, brings: bringsOf(spec), ...found.times }),
    };
  }
  const { state, ...more } = found instanceof Live ? found.result : { status: "live" as const, state: found };
  return { ...more, state: whole(state) };
}
