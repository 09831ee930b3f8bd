import * as z from "zod";
import type { FieldOptions, InputField, InputFields, OutputField, OutputFields } from "./field";
import { nounOf, present, titleOf } from "./lifecycle/properties";
import { deletedRestorable, noSuchObject } from "./lifecycle/restore/messages";
import {
  Absent,
  Deleted,
  type Inputs,
  Live,
  type Reading,
  type Refused,
  type Resource,
  type Spec,
  type State,
} from "./resource";
import type { ResourceContext } from "./context";
import type { AnyResource, ResourceDefinition } from "./definition";
import { shownOnceBy, upheldBy, whileDeleted } from "./outputs";
import type { PreflightFailure } from "./failure";
import type { ReadResult } from "./results";
import type { PropertyTraits } from "./traits";

type Values = Readonly<Record<string, unknown>>;
// The types of the properties have done their work once the author's program is checked.
type AnySpec = Spec<unknown, Record<string, InputField>, Record<string, OutputField>>;
type Context = ResourceContext<unknown>;
type Definition = ResourceDefinition<Record<string, unknown>, Record<string, unknown>>;

/** Turns what an author writes into the definition that the steps of the lifecycle use. */
export function define<P, A extends InputFields, O extends OutputFields>(
  written: Spec<P, A, O>,
): Resource<Inputs<A>, State<A, O>> {
  const spec = written as unknown as AnySpec;
  const state = stateOf(spec);
  const resource: AnyResource = {
    ...definitionOf(spec, state),
    shownOnce: shownOnceBy(state),
    upheld: upheldBy(state),
  };
  return resource as unknown as Resource<Inputs<A>, State<A, O>>;
}

function definitionOf(spec: AnySpec, state: z.ZodObject): Definition {
  const { type, description, importing, unimportable, recall, list, update, prepare, valid } = spec;
  const { keyed, container, lasting, single, inside, expires, permissions } = spec;
  const { authorsOf, adoptedOnRequest } = spec;
  const read = (found: Reading<Values>, id: string, known: Values | undefined) => resultOf(spec, found, { id, known });
  return {
    type,
    description,
    args: argsOf(spec),
    state,
    traits: Object.fromEntries(Object.keys(spec.inputs).map((name) => [name, traitsOf(spec, name)])),
    ...(importing && { importing }),
    ...(unimportable === undefined ? {} : { unimportable }),
    ...(permissions && { permissions }),
    ...(authorsOf && { authorsOf }),
    ...(adoptedOnRequest && { adoptedOnRequest }),
    ...(keyed && { keyed }),
    ...(single && { single }),
    ...(lasting && { lasting }),
    ...(expires && { expiring: expires }),
    ...(inside && { owned: ownedOf(inside) }),
    ...(container && { container: { remaining: (id, now, context) => container.remaining(id, { ...context, now }) } }),
    ...(valid && { validate: valid }),
    ...namingOf(spec),
    ...checksOf(spec),
    ...restoringOf(spec),

    identify: async (id, context) => unimportable ?? importing?.problem?.(id, context),
    async read(id, known, since, context) {
      const asked = { ...context, known };
      const recalled = since === "seconds" ? await recall?.(id, asked) : undefined;
      return read(recalled ?? (await spec.read(id, asked)), id, known);
    },
    ...(list && { list: ({ deleted }, context) => list({ ...context, deleted }) }),
    ...(prepare && { prepare }),
    async create(inputs, context) {
      const made = await spec.create(inputs, context);
      return { id: made.id, state: present(made.state) };
    },
    ...(update && {
      update: async (id: string, now: Values, changes: Values, context: Context, done: (step: Values) => void) =>
        present({ ...now, ...((await update(id, changes, { ...context, now, done })) as Values) }),
    }),
    delete: (id, now, context) => spec.delete(id, { ...context, now }),
  } as Definition;
}

const ownedOf = ({ by: id, type, isPart, canonicalId }: NonNullable<AnySpec["inside"]>) => ({
  type,
  id,
  ...(isPart && { isPart }),
  ...(canonicalId && { canonicalId }),
});

function argsOf({ inputs, named }: AnySpec): z.ZodObject {
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

const deletionTimes = ({ describe }: NonNullable<AnySpec["softDeleted"]>) => ({
  deletedAt: whileDeleted(
    describe?.deletedAt ?? "Time of the deletion (RFC 3339). Present only while the object is deleted.",
  ),
  restorableUntil: whileDeleted(
    "Time until which the object can be restored (RFC 3339). Present only while it is deleted.",
  ),
});

function stateOf({ inputs, outputs, softDeleted }: AnySpec): z.ZodObject {
  const shown = Object.entries(outputs).map(([name, output]) => [name, outputOf(output)] as const);
  const isTime = (name: string) => outputs[name]?.kind === "whileDeleted";
  return z.object({
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, { schema, options }]) => {
        const { describe, describeOutput = describe, isAlwaysShown } = options;
        return [name, (isAlwaysShown ? z.nonoptional(schema) : schema).describe(describeOutput)];
      }),
    ),
    ...Object.fromEntries(shown.filter(([name]) => !isTime(name))),
    ...(softDeleted && deletionTimes(softDeleted)),
    ...Object.fromEntries(shown.filter(([name]) => isTime(name))),
  });
}

function outputOf({ kind, schema, options: { describe: description, value } }: OutputField): z.ZodType {
  const said = { ...schema.meta(), description };
  if (kind === "whileDeleted") return schema.optional().meta({ ...said, whileDeleted: true });
  if (kind === "shownOnce") return schema.meta({ ...said, shownOnce: true });
  return schema.meta(kind === "upheld" ? { ...said, upheld: value } : said);
}

const KINDS: Readonly<Record<InputField["kind"], PropertyTraits<unknown, Values>>> = {
  plain: {},
  replaces: { requiresReplace: true },
  createOnly: {},
  writeOnly: {},
  writeOnlyReplaces: { requiresReplace: true },
  local: { local: true },
  keepers: { requiresReplace: true, local: true },
  trigger: { trigger: true },
};

function traitsOf(spec: AnySpec, name: string): PropertyTraits<unknown, Values> {
  const { kind, options } = spec.inputs[name] as InputField;
  const [moves, loses] = [spec.moves?.[name], spec.loses?.[name]];
  const { instead, describeValue, default: byItself } = options;
  return {
    ...KINDS[kind],
    ...(instead === undefined ? {} : { createOnly: instead }),
    ...(describeValue && { writeOnly: { describe: (value, now) => describeValue(value, now) } }),
    ...(byItself === undefined ? {} : { default: byItself }),
    ...(moves && { changesOutputs: moves }),
    ...(loses && {
      replacementWarning: (title, now, wanted, { context, ...losing }) =>
        loses(wanted as never, { ...context, ...losing, title, now } as never),
    }),
    semantics: semanticsOf(options, spec.same?.[name]),
  };
}

function semanticsOf(
  { valid, same, keeps, secret, preflight, references, describeValue }: FieldOptions,
  sameWithOthers: ((...facts: never[]) => boolean) | undefined,
): PropertyTraits<unknown, Values>["semantics"] {
  return {
    ...(valid && { validate: (wanted, account) => valid(wanted, account) }),
    ...(describeValue ? { secret: () => true } : secret && { secret: (wanted) => secret(wanted) }),
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

function namingOf({ named }: AnySpec): Pick<Definition, "named"> {
  if (!named) return {};
  const { longest, find, recall, ids, madeWith } = named;
  return {
    named: {
      longest,
      async findByName({ name }, context, since = "now") {
        const recalled = since === "now" ? undefined : await recall?.(name, { ...context, since });
        if (recalled === "free") return undefined;
        const found = recalled ?? (await find(name, context));
        return found && { id: found.id, state: present(found.state as Values) };
      },
      recentIds: ids,
      ...(madeWith && { madeWith: (inputs, found) => madeWith(inputs, found as never) }),
    },
  };
}

const failureOf = (refused: Refused): PreflightFailure | undefined =>
  typeof refused === "string" ? { reason: refused } : refused;

function checksOf({ checks = {}, consequence }: AnySpec): Pick<Definition, "preflight"> {
  const { create, update, delete: deletion } = checks;
  return {
    preflight: {
      ...(create && { create: async (inputs, context) => failureOf(await create(inputs, context)) }),
      ...(update && {
        update: async (id, now, changes, context) => failureOf(await update(id, changes, { ...context, now })),
      }),
      ...(deletion && { delete: async (id, now, context) => failureOf(await deletion(id, { ...context, now })) }),
      ...(consequence && {
        consequence: (id, now, changes, context) => consequence(id, changes, { ...context, now }),
      }),
    },
  };
}

function restoringOf({ softDeleted }: AnySpec): Pick<Definition, "restorable"> {
  if (!softDeleted) return {};
  const { brings, renames, restore, alsoRestores, refused, named, lost, unavailable } = softDeleted;
  return {
    restorable: {
      brings,
      ...(renames && { renames }),
      ...(alsoRestores && { alsoRestores }),
      deletedNamed: async (name, context) => named?.(name, context),
      lostNamed: async (name, context) => lost?.(name, context),
      unavailable: async (context) => unavailable?.(context),
      async preflight(id, now, inputs, context, since) {
        return failureOf(await refused?.(id, inputs, { ...context, now, since }));
      },
      restore: async (id, now, inputs, context) => present(await restore(id, inputs, { ...context, now })),
    },
  };
}

function resultOf(
  spec: AnySpec,
  found: Reading<Values>,
  { id, known = {} }: { readonly id: string; readonly known: Values | undefined },
): ReadResult<Values> {
  const { type, outputs, softDeleted } = spec;
  if (found === undefined) return { status: "absent", message: noSuchObject(nounOf({ type }), id) };
  if (found instanceof Absent) return found.result;
  const kept = Object.keys(outputs).filter((name) => outputs[name]?.kind === "kept" && known[name] !== undefined);
  const whole = (shown: Values) =>
    present({ ...shown, ...Object.fromEntries(kept.map((name) => [name, shown[name] ?? known[name]])) });
  if (found instanceof Deleted) {
    const { state, message } = found.result;
    return {
      status: "deleted",
      state: whole(state),
      message: message ?? deletedRestorable(titleOf(spec, state), id, softDeleted?.brings ?? "", found.times),
    };
  }
  const { state, ...more } = found instanceof Live ? found.result : { status: "live" as const, state: found };
  return { ...more, state: whole(state) };
}
