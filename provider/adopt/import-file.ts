import type { Thing } from "./thing";

/** One entry of the file that `pulumi import --file` reads. */
interface Entry {
  readonly type: string;
  /** The name of the entry within the file and of the variable in the generated program. */
  readonly name: string;
  readonly logicalName: string;
  readonly id: string;
  readonly parent?: string;
}

/** Builds the import file, with names that are valid, unique, and the same in every run. */
export function importFile(things: readonly Thing[]): { readonly resources: readonly Entry[] } {
  const variables = new Names();
  const logicalNames = new Names();
  const named = new Map(things.map((thing) => [thing, variables.take(variableOf(thing))]));
  const resources = things.map((thing): Entry => {
    const { resource, id, holder } = thing;
    const parent = holder && named.get(holder);
    return {
      type: tokenOf(resource.type),
      name: named.get(thing) ?? "",
      logicalName: logicalNames.take(logicalNameOf(thing), resource.type),
      id,
      ...(parent === undefined ? {} : { parent }),
    };
  });
  return { resources };
}

export const tokenOf = (type: string): string => `dbplatform:index:${type}`;

/**
 * Returns the names that exactly two objects share. Pulumi's generator turns a string that equals another object's name
 * into a reference; two objects with one name then refer to each other, and the generator writes no references at all.
 */
export function sharedNames(things: readonly Thing[]): string[] {
  const bearers = new Map<string, number>();
  for (const { name, resource } of things)
    if ("name" in resource.state.shape) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  return [...bearers].filter(([, count]) => count === 2).map(([name]) => name);
}

/** Returns each wanted name once, and appends a number from the second time on. */
class Names {
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

/** Keeps only characters that code generators do not have to escape between quotation marks. */
const logicalNameOf = ({ name }: Thing): string => name.replace(/[^A-Za-z0-9._-]+/g, "-");

/**
 * Builds a variable name: `orders-eu` → `ordersEuDatabase`. The type at the end keeps it from being a keyword or the
 * name of a package.
 */
function variableOf({ name, resource: { type } }: Thing): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const [first = "", ...others] = words.map((word) => word.toLowerCase());
  const joined = first + others.map(capitalized).join("");
  return /^[a-z]/.test(joined) ? joined + type : type.charAt(0).toLowerCase() + type.slice(1) + joined;
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
