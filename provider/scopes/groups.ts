import { isCanonicalUuid } from "../../platform/values/uuid";
import type { PreviewedObject } from "./needs";

/** The name and UUID of a group. Each is absent if the preview does not show it. */
export interface PreviewedGroup {
  readonly name?: string;
  readonly id?: string;
}

export interface PreviewedGroups {
  readonly groups: readonly PreviewedGroup[];
  /** Objects whose group is known only during the update. */
  readonly unknown: readonly PreviewedObject[];
}

/**
 * Returns the groups that contain the objects. A UUID and a name count as one group if the preview shows both for the
 * same object.
 */
export function groupsOf(objects: readonly PreviewedObject[]): PreviewedGroups {
  const groups: Set<string>[] = [];
  const unknown: PreviewedObject[] = [];
  for (const object of objects) {
    const names = groupNamesFor(object, objects);
    if (names.size === 0) unknown.push(object);
    else mergeGroupNames(groups, names);
  }
  // Removes duplicates, because a replacement consists of two objects with the same URN.
  return {
    groups: groups.map(groupWithNames),
    unknown: [...new Map(unknown.map((object) => [object.urn, object])).values()],
  };
}

/** Adds a group, given as its name and UUID, and merges it with all groups that have the same name or UUID. */
function mergeGroupNames(groups: Set<string>[], names: ReadonlySet<string>): void {
  const merged = new Set(names);
  for (let at = groups.length - 1; at >= 0; at--) {
    const group = groups[at];
    if (!group || ![...group].some((name) => merged.has(name))) continue;
    for (const name of group) merged.add(name);
    groups.splice(at, 1);
  }
  groups.push(merged);
}

function groupWithNames(names: ReadonlySet<string>): PreviewedGroup {
  const all = [...names];
  const name = all.find((each) => !isCanonicalUuid(each));
  const id = all.find(isCanonicalUuid);
  return { name, id };
}

/** Returns the name and UUID of an object's group, if the preview shows them. */
function groupNamesFor(
  object: PreviewedObject,
  objects: readonly PreviewedObject[],
  seen: ReadonlySet<PreviewedObject> = new Set(),
): ReadonlySet<string> {
  const own = groupNamesIn(object);
  if (own.length > 0 || seen.has(object)) return new Set(own);
  const before = new Set([...seen, object]);
  return new Set(groupOwnersOf(object, objects).flatMap((owner) => [...groupNamesFor(owner, objects, before)]));
}

function groupNamesIn({ resource, inputs, outputs, id }: PreviewedObject): string[] {
  const candidates =
    resource.type === "Group"
      ? [id, inputs.name, outputs.name]
      : [inputs.group, outputs.group, outputs.groupId, outputs.groupName];
  return candidates.filter((value) => typeof value === "string");
}

/**
 * Returns the database that the input `database` identifies. If that input is absent or not known yet, returns the
 * resources whose outputs the program uses in `group` or `database`.
 */
function groupOwnersOf({ inputs, sources }: PreviewedObject, objects: readonly PreviewedObject[]): PreviewedObject[] {
  if (typeof inputs.database === "string")
    return objects.filter(({ resource, id }) => resource.type === "Database" && id === inputs.database);
  const from = [...(sources.group ?? []), ...(sources.database ?? [])];
  return objects.filter(({ urn }) => from.includes(urn));
}
