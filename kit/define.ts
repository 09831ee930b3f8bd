import * as z from "zod";
import type { ResourceContext } from "./context";
import type { AnyResource, Resource } from "./definition";
import { type InputFields, kinds, type OutputFields } from "./field";
import { present } from "./lifecycle/properties";
import { deletionMessage, noSuchObject } from "./lifecycle/restore/messages";
import { bringsOf, nounOf, titleOf } from "./phrases";
import { Property, PropertyList } from "./property";
import type { AnySpec, Inputs, NowContext, Spec, State, UpdateContext } from "./resource";
import { Absent, type Age, Deleted, Live, type Made, type ReadResult } from "./results";

type Values = Readonly<Record<string, unknown>>;
type Context = ResourceContext<unknown>;

/** Turns what an author writes into the definition that the steps of the lifecycle use. */
export function define<P, A extends InputFields, O extends OutputFields>(
  written: Spec<P, A, O>,
): Resource<Inputs<A>, State<A, O>> {
  // The types of the properties have done their work once the author's program is checked.
  return defineResource(written as unknown as AnySpec) as unknown as Resource<Inputs<A>, State<A, O>>;
}

function defineResource(spec: AnySpec): AnyResource {
  const { inputs, outputs, moves, same, loses, named, softDeleted, update, ...written } = spec;
  const { importing, unimportable } = spec;
  const made = ({ id, state }: Made<Values>) => ({ id, state: present(state) });
  const found = (one: Made<object> | undefined) => one && made(one as Made<Values>);
  // The platform never shows these values, so the state records what was sent.
  const sentUnseen = (sent: Values) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => inputs[name]?.options.describeValue !== undefined));
  const properties = propertiesOf(spec);
  return {
    ...written,
    properties,
    args: z.object(
      Object.fromEntries(
        properties.inputs.filter(({ isWritten }) => isWritten).map(({ name, written: schema }) => [name, schema]),
      ),
    ),
    state: z.object(Object.fromEntries(properties.all.map(({ name, recorded }) => [name, recorded]))),
    ...(named && {
      named: {
        ...named,
        find: async (name: string, context: Context & { readonly maxAge: Age | undefined }) =>
          found(await named.find(name, context)),
      },
    }),
    ...(softDeleted && {
      softDeleted: {
        ...softDeleted,
        restore: async (id: string, wanted: Values, context: NowContext<unknown, Values>) =>
          present(await softDeleted.restore(id, wanted, context)),
      },
    }),
    identify: async (id, context) => unimportable ?? importing?.problem?.(id, context),
    async read(id, context, { known, maxAge } = {}) {
      return defineReadResult(spec, await spec.read(id, { ...context, known, maxAge }), { id, known });
    },
    async create(wanted, context) {
      const { id, state } = made(await spec.create(wanted, context));
      return { id, state: present({ ...sentUnseen(wanted), ...state }) };
    },
    ...(update && {
      update: async (id: string, changes: Values, context: UpdateContext<unknown, Values, Values, Values>) =>
        present({
          ...context.now,
          ...sentUnseen(changes),
          ...((await update(id, changes, context)) as Values),
        }),
    }),
  } as AnyResource;
}

/** Returns the properties in the order of the package schema: inputs, outputs, and what only a deleted object has. */
function propertiesOf({ inputs, outputs, named, softDeleted, moves, same, loses }: AnySpec): PropertyList {
  const beside = (name: string) =>
    ({
      moves: moves?.[name],
      same: same?.[name],
      loses: loses?.[name],
      // The kit generates a name that the program omits.
      isFilledIn: named !== undefined && name === "name",
    }) as never;
  const declared = Object.entries(outputs);
  const shown = [
    ...declared.filter(([, { kind }]) => kind !== "whileDeleted"),
    ...Object.entries(softDeleted ? deletionTimes(softDeleted) : {}),
    ...declared.filter(([, { kind }]) => kind === "whileDeleted"),
  ];
  return new PropertyList([
    ...Object.entries(inputs).map(([name, field]) => new Property(name, field, beside(name))),
    ...shown.map(([name, field]) => new Property(name, field)),
  ]);
}

const deletionTimes = ({ describe }: NonNullable<AnySpec["softDeleted"]>) => ({
  deletedAt: kinds.whileDeleted(z.iso.datetime(), {
    describe: describe?.deletedAt ?? "Time of the deletion (RFC 3339). Present only while the object is deleted.",
  }),
  restorableUntil: kinds.whileDeleted(z.iso.datetime(), {
    describe: "Time until which the object can be restored (RFC 3339). Present only while it is deleted.",
  }),
});

function defineReadResult(
  spec: AnySpec,
  found: Awaited<ReturnType<AnySpec["read"]>>,
  { id, known = {} }: { readonly id: string; readonly known: Values | undefined },
): ReadResult<Values> {
  const { outputs } = spec;
  if (found === undefined) return new Absent(noSuchObject({ kind: nounOf(spec), id }));
  if (found instanceof Absent) return found;
  const isKept = (name: string) => outputs[name]?.kind === "kept" || outputs[name]?.kind === "shownOnce";
  const kept = Object.keys(outputs).filter((name) => isKept(name) && known[name] !== undefined);
  const whole = (read: Values) =>
    present({ ...read, ...Object.fromEntries(kept.map((name) => [name, read[name] ?? known[name]])) });
  if (found instanceof Deleted) {
    const { state, deletion } = found;
    const message = deletionMessage({ title: titleOf(spec, state), id, brings: bringsOf(spec), deletion });
    return { status: "deleted", state: whole(state), message };
  }
  return found instanceof Live ? new Live(whole(found.state), found) : new Live(whole(found));
}
