import type { AnyResource } from "../definition";
import type { ObjectRecord, ResourceRecord } from "../run";
import type { Comparison } from "./comparison";
import type { Context } from "./context";
import { settingsTakenOver } from "./messages";
import { logicalNameInUrn } from "./naming";
import { knownOf, type Properties, present, type State } from "./properties";

interface Existing {
  readonly id: string;
  readonly state: State;
  readonly inputs: Properties;
}

/** Settings that a resource had set on an object, and that no resource of the program names any more. */
interface LeftSettings {
  /** The resource that had set them. */
  readonly from: ResourceRecord;
  /** A resource that manages the object after this update. */
  readonly to: ResourceRecord;
  readonly settings: Properties;
}

const lastingSettingNames = (args: Properties): ReadonlySet<string> => new Set(Object.keys(present(args)));

/** Returns the settings that the inputs name and that differ from the platform's defaults. */
const lastingSettingsOf = (
  { properties }: AnyResource,
  { state, inputs }: Pick<Existing, "state" | "inputs">,
): Properties =>
  Object.fromEntries(
    properties.inputs
      .filter(({ name, onChange }) => onChange !== "replace" && inputs[name] !== undefined)
      .filter((property) => !property.isDefault(state[property.name]))
      .map(({ name }) => [name, state[name]]),
  );

/** Records the settings of a resource that the stack manages, in case another resource takes over its object. */
export function recordLastingSettings(resource: AnyResource, existing: Existing, { platform, run }: Context): void {
  if (resource.lasting)
    run
      .object(resource.type, existing.id)
      .settings.setBy.set(run.resource(platform.urn), lastingSettingsOf(resource, existing));
}

/**
 * Records which object a declared resource manages after this update. If the resource leaves an object that another
 * resource takes over, lists the settings that stay in force.
 */
export async function recordNextSettingsManager(
  { resource, id, news }: Comparison,
  isReplaced: boolean,
  context: Context,
): Promise<void> {
  if (!resource.lasting) return;
  const next = isReplaced ? await resource.lasting.idOf(knownOf(news), context.platform) : id;
  addNextSettingsManager(resource, next, { news, isNew: isReplaced }, context);
  if (next !== id) listSettingsLeft(resource, id, settingsLeftOn(context.run.object(resource.type, id)), context);
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
  const id = created?.id ?? (await resource.lasting.idOf(knownOf(args), context.platform));
  const object = addNextSettingsManager(resource, id, { news: args, isNew: true }, context);
  if (id !== undefined && object) listSettingsLeft(resource, id, settingsLeftOn(object), context, created?.state);
}

/** Records which object the resource manages after this update. `undefined` if the object is not known yet. */
function addNextSettingsManager(
  { type }: AnyResource,
  id: string | undefined,
  { news, isNew }: { readonly news: Properties; readonly isNew: boolean },
  { platform, run }: Context,
): ObjectRecord | undefined {
  const managing = run.resource(platform.urn);
  const object = id === undefined ? undefined : run.object(type, id);
  managing.managesNext = { object, names: lastingSettingNames(news), isNew };
  object?.settings.nextManagers.add(managing);
  return object;
}

/** Returns the resources of the program that manage the object after this update. */
const nextSettingsManagersOf = (object: ObjectRecord): ResourceRecord[] =>
  [...object.settings.nextManagers].filter(({ managesNext }) => managesNext?.object === object);

function settingsLeftOn(object: ObjectRecord): LeftSettings[] {
  const managers = nextSettingsManagersOf(object);
  const to = managers.find(({ managesNext }) => managesNext?.isNew) ?? managers[0];
  if (!to) return [];
  const named = new Set(managers.flatMap(({ managesNext }) => [...(managesNext?.names ?? [])]));
  return [...object.settings.setBy]
    .filter(([from]) => !managers.includes(from) || from.managesNext?.isNew)
    .map(([from, settings]) => ({
      from,
      to,
      settings: Object.fromEntries(Object.entries(settings).filter(([name]) => !named.has(name))),
    }))
    .filter(({ settings }) => Object.keys(settings).length > 0);
}

/**
 * Returns the settings that stay in force although the engine deletes the resource that had set them and the program
 * manages the object with another resource. Returns `undefined` if the program no longer manages the object.
 */
export function settingsLeft(
  resource: AnyResource,
  existing: Existing,
  { platform, run }: Context,
): readonly LeftSettings[] | undefined {
  if (!resource.lasting) return undefined;
  const object = run.object(resource.type, existing.id);
  const leaving = run.resource(platform.urn);
  // The resource that the engine deletes counts only if its replacement manages the object.
  const isManaged = nextSettingsManagersOf(object).some((manager) => manager !== leaving || manager.managesNext?.isNew);
  if (!isManaged) return undefined;
  object.settings.setBy.set(leaving, lastingSettingsOf(resource, existing));
  return settingsLeftOn(object);
}

/**
 * Returns the state of a resource without the settings that the program never named, because a default shows that
 * somebody else has set them: for example the size limit with which an object was created.
 */
export function withoutSettingsOfOthers(resource: AnyResource, { state, inputs }: Existing): State {
  if (!resource.lasting || Object.keys(inputs).length === 0) return state;
  return Object.fromEntries(
    Object.entries(state).filter(
      ([name]) => inputs[name] !== undefined || resource.properties.get(name).default === undefined,
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
  const { listed } = context.run.object(resource.type, id).settings;
  for (const each of left) {
    const current = Object.entries(each.settings)
      .map(([property, value]) => [property, actual ? actual[property] : value] as const)
      .filter(([property, value]) => !resource.properties.get(property).isDefault(value))
      .filter(([property]) => !listed.has(property));
    for (const [property] of current) listed.add(property);
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
    const setting = resource.properties.get(property);
    return { property, is: setting.inMessages(is), byDefault: setting.default ?? undefined };
  });
  return settingsTakenOver({ subject, from: logicalNameInUrn(from.urn), to: logicalNameInUrn(to.urn), remaining });
}

/**
 * Describes the settings that stay in force because the program moves resources between objects: those on the object
 * that the resource manages now, and those on the object that it takes over.
 */
export async function describeMovedLastingSettings(
  { resource, id, news }: Comparison,
  context: Context,
): Promise<string[]> {
  if (!resource.lasting) return [];
  const next = await resource.lasting.idOf(knownOf(news), context.platform);
  // A resource that the program does not move may yet be declared for its object.
  return [...new Set([id, next ?? id])].flatMap((object) =>
    settingsLeftOn(context.run.object(resource.type, object))
      .filter(({ from }) => from.managesNext !== undefined)
      .map((left) => describeSettingsLeft(resource, object, left, context)),
  );
}
