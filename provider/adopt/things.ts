import type { AnyResource } from "../../kit/definition";
import type { Listed } from "../../kit/results";
import { matchesPattern } from "../command/option-values";
import { group } from "../resources/group/group";
import { unknownGroup } from "./messages";

/** An object that exists on the platform and can be managed by a stack. */
export interface Thing extends Listed {
  readonly resource: AnyResource;
  /** The object that contains this object, for example the group of a database. */
  readonly container?: Thing | undefined;
}

export interface InventoryChoice {
  /** Resource types to import, for example `Database`. An empty list selects all types. */
  readonly types: readonly string[];
  /** Name or UUID of the group whose objects are imported. */
  readonly group?: string | undefined;
  /** Pattern for the names of the objects to import; `*` matches any text. */
  readonly name?: string | undefined;
  /** Whether to import restorable deleted objects too. */
  readonly deleted: boolean;
}

/**
 * Returns a function that tests whether the user's options select an object.
 *
 * @param all Every object of the organization.
 * @throws Error if the selected group does not exist.
 */
export function chooser(choice: InventoryChoice, all: readonly Thing[]): (thing: Thing) => boolean {
  const { types, name } = choice;
  const isGroup = ({ resource, id, name: own }: Thing) =>
    resource === group && (id === choice.group || own === choice.group);
  if (choice.group !== undefined && !all.some(isGroup)) throw new Error(unknownGroup({ group: choice.group }));

  const isInGroup = (thing: Thing | undefined): boolean =>
    thing !== undefined && (isGroup(thing) || isInGroup(thing.container));
  return (thing) =>
    (types.length === 0 || types.includes(thing.resource.type)) &&
    (choice.group === undefined || isInGroup(thing)) &&
    (name === undefined || matchesPattern(thing.name, name));
}
