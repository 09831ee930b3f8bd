import { isGroup, type Thing } from "./things";

/** The options of a command that choose objects. */
export interface Choice {
  /** Resource types, for example `Database`. An empty list chooses all types. */
  readonly types?: readonly string[];
  /** Name or UUID of a group. Chooses the group and the objects in it. */
  readonly group?: string | undefined;
  /** Pattern for names; `*` matches any text. */
  readonly name?: string | undefined;
}

/** Returns whether an object has all properties that the options ask for. */
export const matchesChoice = (thing: Thing, { types, group, name }: Choice): boolean =>
  choosesType(types, thing.resource.type) &&
  (group === undefined || isInGroup(thing, group)) &&
  (name === undefined || patternOf(name).test(thing.name));

export const choosesType = (types: Choice["types"] = [], type: string): boolean =>
  types.length === 0 || types.includes(type);

/** Returns whether an object is in the group with this name or UUID, or is that group. */
export const isInGroup = (thing: Thing, wanted: string): boolean =>
  (isGroup(thing) && (thing.id === wanted || thing.name === wanted)) ||
  (thing.container !== undefined && isInGroup(thing.container, wanted));

/** Returns an expression for a pattern in which `*` matches any text. */
const patternOf = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "s");
