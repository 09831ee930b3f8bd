import type { AnyResource } from "../resource/definition";
import { isWhileDeleted } from "../resource/outputs";
import { type Compared, compare, corrections, isIgnored, isOnlyRecorded, isRestored } from "./compare";
import type { Context } from "./context";
import { noteGivenName } from "./diff";
import { findWithdrawn, warnOfLost } from "./interrupted";
import { withCreatePermissions, withUpdatePermissions } from "./permissions";
import { assertPlannable, assertUpdatable } from "./preflight";
import { type Properties, present, type State, titleOf, traitsOf, UNKNOWN } from "./properties";
import { restorePlanned } from "./restore/messages";
import { noteName } from "./session";
import { warnOfSettingsTakenOver } from "./settings-left";
import { warnOfNamesakes } from "./warnings";

interface Planned {
  /** Known only if the object of an interrupted replacement is restored. */
  readonly id?: string;
  readonly state: Properties;
}

/**
 * Returns the expected state of an object after its creation, with unknown outputs. Throws an error if read requests
 * show that the object could not be created.
 */
export async function planCreate(resource: AnyResource, args: Properties, context: Context): Promise<Planned> {
  const { session, platform } = context;
  const withdrawn = await findWithdrawn(resource, args, context);
  if (withdrawn) {
    const { id, state } = withdrawn;
    // The engine shows a creation here, so a warning says that nothing new is created.
    if (state.deletedAt !== undefined)
      platform.warn(restorePlanned(titleOf(resource, state), id, resource.restorable?.brings ?? ""));
    return { id, state: await planUpdate(resource, withdrawn, context) };
  }
  // Runs the checks first: once the planned name is recorded, the checks would report that name as taken.
  await withCreatePermissions(resource, args, context, () => assertPlannable(resource, args, context));
  await warnOfLost(resource, context);
  await warnOfNamesakes(resource, args, context, "preview");
  await warnOfSettingsTakenOver(resource, args, context);
  noteName(resource, platform.urn, args, session);
  if (typeof args.name === "string") session.notePlanned(resource.type, args.name, platform.urn);
  const outputs = Object.keys(resource.state.shape).filter((property) => !isWhileDeleted(resource, property));
  const computed = outputs.filter((property) => !(property in resource.args.shape));
  return {
    state: { ...Object.fromEntries(computed.map((property) => [property, UNKNOWN])), ...known(resource, args) },
  };
}

/** Returns the expected state after an update. Throws an error if read requests show that the update would fail. */
export async function planUpdate(resource: AnyResource, compared: Compared, context: Context): Promise<State> {
  const { state, news, ignored } = compared;
  await withUpdatePermissions(resource, compared, context, async () => {
    if (isRestored(compared))
      await context.session.restorations.run(() => planRestoration(resource, compared, context));
    else await assertUpdatable(resource, compared, context);
  });
  if (state.deletedAt === undefined || isRestored(compared)) noteGivenName(resource, compared, context.session);
  const altered = compare(resource, compared)
    .filter(({ property }) => !isOnlyRecorded(resource, property, compared))
    .flatMap(({ property }) => traitsOf(resource, property).changesOutputs ?? []);
  const live = isRestored(compared)
    ? Object.fromEntries(Object.entries(state).filter(([property]) => !isWhileDeleted(resource, property)))
    : state;
  const settled = Object.fromEntries(
    Object.entries(known(resource, news)).filter(
      ([property]) => !traitsOf(resource, property).createOnly && !isIgnored(property, ignored),
    ),
  );
  return present({
    ...live,
    ...corrections(resource, compared),
    ...settled,
    ...Object.fromEntries(altered.map((property) => [property, UNKNOWN])),
  });
}

async function planRestoration(resource: AnyResource, compared: Compared, context: Context): Promise<void> {
  const isPossible = await assertUpdatable(resource, compared, context);
  const { id, state } = compared;
  const { session, platform } = context;
  session.noteRestored(resource, id);
  const revived = resource.restorable?.alsoRestores?.(state);
  if (!revived || (await revived.isLive(platform))) return;
  const isNamed = session.names.of(revived.type, revived.id) !== undefined;
  session.names.set(revived.type, revived.id, revived.name);
  if (isPossible && !isNamed) platform.warn(revived.sentence(session.isInStack(revived.type, revived.id)));
}

const known = ({ args }: AnyResource, inputs: Properties): Properties =>
  present(Object.fromEntries(Object.keys(args.shape).map((property) => [property, inputs[property]])));
