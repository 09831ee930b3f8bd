import type { AnyResource } from "../resource/definition";
import type { Compared } from "./compare";
import type { Context } from "./context";
import { settingsTakenOver } from "./messages";
import { isUnset, knownOf, type Properties, present, type State, traitsOf } from "./properties";
import type { LeftSettings } from "./settings-record";

interface Existing {
  readonly id: string;
  readonly state: State;
  readonly inputs: Properties;
}

const objectOf = ({ type }: AnyResource, id: string): string => `${type} ${id}`;

const namesOf = (args: Properties): ReadonlySet<string> => new Set(Object.keys(present(args)));

/** Returns the settings that the inputs name and that differ from the platform's defaults. */
const settingsOf = (resource: AnyResource, { state, inputs }: Pick<Existing, "state" | "inputs">): Properties =>
  Object.fromEntries(
    Object.keys(resource.args.shape)
      .filter((property) => !traitsOf(resource, property).requiresReplace && inputs[property] !== undefined)
      .map((property) => [property, state[property]] as const)
      .filter(([property, value]) => !isUnset(resource, property, value)),
  );

/** Records the settings of a resource that the stack manages, in case another resource takes over its object. */
export function noteSettings(resource: AnyResource, existing: Existing, { platform, session }: Context): void {
  if (resource.lasting)
    session.settings.noteSet(objectOf(resource, existing.id), platform.urn, settingsOf(resource, existing));
}

/**
 * Records which object a declared resource manages after this update. If the resource leaves an object that another
 * resource takes over, lists the settings that stay in force.
 */
export async function noteManagedSettings(
  resource: AnyResource,
  { id, news }: Compared,
  isReplaced: boolean,
  context: Context,
): Promise<void> {
  if (!resource.lasting) return;
  const { platform, session } = context;
  const next = isReplaced ? await resource.lasting.idOf(knownOf(news), platform) : id;
  const object = next === undefined ? undefined : objectOf(resource, next);
  session.settings.noteManager(platform.urn, { object, names: namesOf(news), isNew: isReplaced });
  if (next !== id) listSettingsLeft(resource, id, session.settings.leftOn(objectOf(resource, id)), context);
}

/**
 * Lists the settings that other resources had set on the object, that stay in force, and that a new resource does not
 * name.
 *
 * @param created The new object. Absent in a preview.
 */
export async function warnOfSettingsTakenOver(
  resource: AnyResource,
  args: Properties,
  context: Context,
  created?: { readonly id: string; readonly state: State },
): Promise<void> {
  if (!resource.lasting) return;
  const { platform, session } = context;
  const id = created?.id ?? (await resource.lasting.idOf(knownOf(args), platform));
  const object = id === undefined ? undefined : objectOf(resource, id);
  session.settings.noteManager(platform.urn, { object, names: namesOf(args), isNew: true });
  if (id === undefined || object === undefined) return;
  listSettingsLeft(resource, id, session.settings.leftOn(object), context, created?.state);
}

/**
 * Returns the settings that stay in force although the engine deletes the resource that had set them and the program
 * manages the object with another resource. Returns `undefined` if the program no longer manages the object.
 */
export function settingsLeft(
  resource: AnyResource,
  existing: Existing,
  { platform, session }: Context,
): readonly LeftSettings[] | undefined {
  const object = objectOf(resource, existing.id);
  if (!resource.lasting || !session.settings.isManaged(object, platform.urn)) return undefined;
  session.settings.noteSet(object, platform.urn, settingsOf(resource, existing));
  return session.settings.leftOn(object);
}

/**
 * Returns the state of a resource without the settings that the program never named, because a default shows that
 * somebody else has set them: for example the size limit with which a database was created.
 */
export function withoutSettingsOfOthers(resource: AnyResource, { state, inputs }: Existing): State {
  if (!resource.lasting || Object.keys(inputs).length === 0) return state;
  return Object.fromEntries(
    Object.entries(state).filter(
      ([property]) => inputs[property] !== undefined || traitsOf(resource, property).default === undefined,
    ),
  );
}

/** Lists each setting once per update. */
export function listSettingsLeft(
  resource: AnyResource,
  id: string,
  left: readonly LeftSettings[],
  context: Context,
  actual?: State,
): void {
  const { settings: record } = context.session;
  for (const each of left) {
    const current = Object.entries(each.settings)
      .map(([property, value]) => [property, actual ? actual[property] : value] as const)
      .filter(([property, value]) => !isUnset(resource, property, value))
      .filter(([property]) => record.listOnce(objectOf(resource, id), property));
    if (current.length > 0)
      context.platform.warn(
        describeSettingsLeft(resource, id, { ...each, settings: Object.fromEntries(current) }, context),
      );
  }
}

export function describeSettingsLeft(
  resource: AnyResource,
  id: string,
  { from, to, settings }: LeftSettings,
  { platform }: Context,
): string {
  const subject = resource.lasting?.subject(id, platform) ?? id;
  const remaining = Object.entries(settings).map(([property, is]) => {
    return { property, is, byDefault: traitsOf(resource, property).default };
  });
  return settingsTakenOver(subject, { from: logicalNameOf(from), to: logicalNameOf(to) }, remaining);
}

/**
 * Describes the settings that stay in force because the program moves resources between objects: those on the object
 * that the resource manages now, and those on the object that it takes over.
 */
export async function describeSettingsMoved(
  resource: AnyResource,
  { id, news }: Compared,
  context: Context,
): Promise<string[]> {
  if (!resource.lasting) return [];
  const next = await resource.lasting.idOf(knownOf(news), context.platform);
  return [...new Set([id, next ?? id])].flatMap((object) =>
    context.session.settings
      .leftOn(objectOf(resource, object))
      .filter(({ isMoved }) => isMoved)
      .map((left) => describeSettingsLeft(resource, object, left, context)),
  );
}

const logicalNameOf = (urn: string): string => urn.split("::").at(-1) ?? urn;
