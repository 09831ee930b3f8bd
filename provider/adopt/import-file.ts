import type { Properties } from "../../kit/lifecycle/properties";
import { capitalized } from "../../kit/phrases";
import { typeTokenOf } from "../command/type-token";
import type { Thing } from "../inventory/things";

/** Describes one resource in the file that `pulumi import --file` reads. */
interface Entry {
  readonly type: string;
  /** Identifies the entry within the file, and becomes the variable name in the generated program. */
  readonly name: string;
  readonly logicalName: string;
  readonly id: string;
  readonly parent?: string;
  /** With `outputs`, the engine records both as they are, and does not read the object (Pulumi 3.254 and newer). */
  readonly inputs?: Properties;
  readonly outputs?: Properties;
}

/** Builds the import file. All names are valid, unique and stable across runs of the command. */
export function importFile(things: readonly Thing[]): { readonly resources: readonly Entry[] } {
  const variables = new Names();
  const logicalNames = new Names();
  const named = new Map(things.map((thing) => [thing, variables.take(variableNameOf(thing))]));
  const resources = things.map((thing): Entry => {
    const { resource, id, container } = thing;
    const parent = container && named.get(container);
    return {
      type: typeTokenOf(resource.type),
      name: named.get(thing) ?? "",
      logicalName: logicalNames.take(logicalNameOf(thing), resource.type),
      id,
      parent,
      ...thing.recorded,
    };
  });
  return { resources };
}

/**
 * Returns the names that exactly two objects share. Pulumi's code generator replaces a string with a reference if
 * exactly one other object has that string as its name. Two objects with the same name would therefore refer to each
 * other. To avoid this cycle, Pulumi writes literal ids into the program instead of references, so the user must be
 * warned.
 */
export function sharedNames(things: readonly Thing[]): string[] {
  const bearers = new Map<string, number>();
  for (const { name, resource } of things)
    if ("name" in resource.state.shape) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  return [...bearers].filter(([, count]) => count === 2).map(([name]) => name);
}

/** Makes names unique by appending a number to every use of a name except the first. */
class Names {
  /** One entry for each object in the file. */
  readonly #taken = new Set<string>();

  take(wanted: string, scope = ""): string {
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}${scope && "-"}${count}`;
      const key = `${scope} ${name}`;
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return name;
    }
  }
}

/** Converts an object's name to a logical name that needs no escaping in a quoted string. */
const logicalNameOf = ({ name }: Thing): string => name.replace(/[^A-Za-z0-9._-]+/g, "-");

/**
 * Builds a variable name: `orders-eu` becomes `ordersEuDatabase`. The name includes the resource type, so it can be
 * neither a keyword nor the name of a package.
 */
function variableNameOf({ name, resource: { type } }: Thing): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const [first = "", ...others] = words.map((word) => word.toLowerCase());
  const joined = first + others.map(capitalized).join("");
  return /^[a-z]/.test(joined) ? joined + type : type.charAt(0).toLowerCase() + type.slice(1) + joined;
}
