import type { AnyResource } from "../definition";
import type { ObjectRecord, ResourceRecord, Run } from "../run";
import { type Happened, lastOf, type RunEvent, type StackObject } from "../run-events";
import type { Comparison } from "./comparison";
import type { Context } from "./context";
import { settingsTakenOver } from "./messages";
import { logicalNameInUrn } from "./naming";
import { knownOf, type Properties, present, type State } from "./properties";

/** Settings that a resource had set on an object, and that no resource of the program names any more. */
interface LeftSettings {
  /** The resource that had set them. */
  readonly from: ResourceRecord;
  /** A resource that manages the object after this update. */
  readonly to: ResourceRecord;
  readonly settings: Properties;
}

/** Returns the settings that the inputs name and that differ from the platform's defaults. */
const lastingSettingsOf = ({ properties }: AnyResource, { state, inputs }: Omit<StackObject, "id">): Properties =>
  Object.fromEntries(
    properties.inputs
      .filter(({ name, onChange }) => onChange !== "replace" && inputs[name] !== undefined)
      .filter((property) => !property.isDefault(state[property.name]))
      .map(({ name }) => [name, state[name]]),
  );

/** Returns the settings that the event shows its resource to have set. */
function settingsIn(event: RunEvent): Properties | undefined {
  if (event.step === "read" || event.step === "found" || event.step === "leave")
    return lastingSettingsOf(event.resource, event);
  if (event.step !== "decided" || event.isRefused) return undefined;
  const { oldInputs: inputs, state } = event.comparison;
  return lastingSettingsOf(event.resource, { inputs, state });
}

/** Returns the settings that resources of the stack have set on the object. */
function settingsSetOn({ events }: ObjectRecord, run: Run): Map<ResourceRecord, Properties> {
  const set = new Map<ResourceRecord, Properties>();
  for (const event of events) {
    const settings = settingsIn(event);
    if (settings) set.set(run.resource(event.urn), settings);
  }
  return set;
}

/** Returns what the resource manages after this update, as far as it is known. */
const nextOf = ({ events }: ResourceRecord): Happened<"next"> | undefined => lastOf(events, "next");

/**
 * Notes which object a declared resource manages after this update. If the resource leaves an object that another
 * resource takes over, lists the settings that stay in force.
 */
export async function noteNextObject(
  { resource, id, news }: Comparison,
  isReplaced: boolean,
  context: Context,
): Promise<void> {
  if (!resource.lasting) return;
  const next = isReplaced ? await resource.lasting.idOf(knownOf(news), context.platform) : id;
  noteNext(resource, next, { news, isNew: isReplaced }, context);
  if (next !== id) listSettingsLeft(resource, id, settingsLeftOn({ type: resource.type, id }, context.run), context);
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
  noteNext(resource, id, { news: args, isNew: true }, context);
  if (id === undefined) return;
  listSettingsLeft(resource, id, settingsLeftOn({ type: resource.type, id }, context.run), context, created?.state);
}

/** Notes which object the resource manages after this update. `undefined` if the object is not known yet. */
function noteNext(
  resource: AnyResource,
  id: string | undefined,
  { news, isNew }: { readonly news: Properties; readonly isNew: boolean },
  { platform: { urn }, run }: Context,
): void {
  run.note({ step: "next", resource, urn, id, names: Object.keys(present(news)), isNew });
}

/** Returns the resources of the program that manage the object after this update. */
function nextManagersOf({ events, id }: ObjectRecord, run: Run): ResourceRecord[] {
  const managers = events.filter(({ step }) => step === "next").map(({ urn }) => run.resource(urn));
  return [...new Set(managers)].filter((manager) => nextOf(manager)?.id === id);
}

/** @param leaving A resource that the engine deletes, with the settings that it has set. */
function settingsLeftOn(
  { type, id }: { readonly type: string; readonly id: string },
  run: Run,
  ...leaving: readonly (readonly [ResourceRecord, Properties])[]
): LeftSettings[] {
  const object = run.object(type, id);
  const managers = nextManagersOf(object, run);
  const to = managers.find((manager) => nextOf(manager)?.isNew) ?? managers[0];
  if (!to) return [];
  const named = new Set(managers.flatMap((manager) => nextOf(manager)?.names ?? []));
  return [...new Map([...settingsSetOn(object, run), ...leaving])]
    .filter(([from]) => !managers.includes(from) || nextOf(from)?.isNew)
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
  existing: StackObject,
  { platform, run }: Context,
): readonly LeftSettings[] | undefined {
  if (!resource.lasting) return undefined;
  const object = run.object(resource.type, existing.id);
  const leaving = run.resource(platform.urn);
  // The resource that the engine deletes counts only if its replacement manages the object.
  const isManaged = nextManagersOf(object, run).some((manager) => manager !== leaving || nextOf(manager)?.isNew);
  return isManaged ? settingsLeftOn(object, run, [leaving, lastingSettingsOf(resource, existing)]) : undefined;
}

/**
 * Returns the state of a resource without the settings that the program never named, because a default shows that
 * somebody else has set them: for example the size limit with which an object was created.
 */
export function withoutSettingsOfOthers(resource: AnyResource, { state, inputs }: StackObject): State {
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
  const { platform, run } = context;
  for (const each of left) {
    const current = Object.entries(each.settings)
      .map(([property, value]) => [property, actual ? actual[property] : value] as const)
      .filter(([property, value]) => !resource.properties.get(property).isDefault(value))
      .filter(([property]) => run.count(`setting left ${resource.type} ${id} ${property}`) === 1);
    if (current.length > 0)
      platform.warn(describeSettingsLeft(resource, id, { ...each, settings: Object.fromEntries(current) }, context));
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
    settingsLeftOn({ type: resource.type, id: object }, context.run)
      .filter(({ from }) => nextOf(from) !== undefined)
      .map((left) => describeSettingsLeft(resource, object, left, context)),
  );
}
