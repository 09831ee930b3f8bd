import type { AnyResource } from "../resources/resource";
import type { Context } from "./context";
import { mustBeCreatable } from "./create-only";
import { type Compared, compare, isIgnored, isOnlyNoted, noteGivenName } from "./diff";
import { markOf, type Properties, present, UNKNOWN } from "./properties";
import { noteName } from "./run";
import { mustBeUpdatable } from "./update";

/** What a creation will give, as far as it is known before. Refuses what it would fail at, as far as reading can tell. */
export async function planCreate(
  resource: AnyResource,
  args: Properties,
  { run, platform }: Context,
): Promise<Properties> {
  // Asked first, so that nothing is found under the name that it is about to get.
  await mustBeCreatable(resource, args, platform);
  noteName(resource, platform.urn, args, run);
  const outputs = Object.keys(resource.state.shape).filter((property) => !isWhileDeleted(resource, property));
  const computed = outputs.filter((property) => !(property in resource.args.shape));
  return { ...Object.fromEntries(computed.map((property) => [property, UNKNOWN])), ...known(resource, args) };
}

/** What an update will give. Refuses what it would fail at, as far as reading can tell. */
export async function planUpdate(resource: AnyResource, compared: Compared, context: Context): Promise<Properties> {
  const { state, news, ignored } = compared;
  if (state.deletedAt === undefined) await mustBeUpdatable(resource, compared, context);
  else await context.run.restoring(() => planRestoration(resource, compared, context));
  noteGivenName(resource, compared, context.run);
  const altered = compare(resource, compared)
    .filter(({ property }) => !isOnlyNoted(resource, property, compared))
    .flatMap(({ property }) => markOf(resource, property).alters ?? []);
  const live = Object.fromEntries(Object.entries(state).filter(([property]) => !isWhileDeleted(resource, property)));
  const settled = Object.fromEntries(
    Object.entries(known(resource, news)).filter(
      ([property]) => !markOf(resource, property).createOnly && !isIgnored(property, ignored),
    ),
  );
  return present({
    ...live,
    ...settled,
    ...Object.fromEntries(altered.map((property) => [property, UNKNOWN])),
  });
}

async function planRestoration(resource: AnyResource, compared: Compared, context: Context): Promise<void> {
  await mustBeUpdatable(resource, compared, context);
  const { id, state } = compared;
  const { run } = context;
  run.noteRestored(id);
  const too = resource.restoredWith?.(state);
  if (too) run.names.set(too.id, too.name);
}

const isWhileDeleted = ({ state }: AnyResource, property: string): boolean =>
  Boolean(state.shape[property]?.meta()?.whileDeleted);

const known = ({ args }: AnyResource, inputs: Properties): Properties =>
  present(Object.fromEntries(Object.keys(args.shape).map((property) => [property, inputs[property]])));
