import type { Thing } from "./thing";

/** One entry of the file that `pulumi import --file` reads. */
interface Entry {
  readonly type: string;
  /** By which the file and the generated program call it. */
  readonly name: string;
  readonly logicalName: string;
  readonly id: string;
  readonly parent?: string;
}

/** Everything under names that are valid, unique, and the same each time. */
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
 * Names that two things have. Pulumi's generator writes a text that is the name of one other thing as a reference to
 * it; two of one name refer to each other, and so it gives up references altogether.
 */
export function sharedNames(things: readonly Thing[]): string[] {
  const bearers = new Map<string, number>();
  for (const { name, resource } of things)
    if ("name" in resource.state.shape) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  return [...bearers].filter(([, count]) => count === 2).map(([name]) => name);
}

/** Gives each name once, with a number from the second time on. */
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

/** What generators put between quotation marks as it is. */
const logicalNameOf = ({ name }: Thing): string => name.replace(/[^A-Za-z0-9._-]+/g, "-");

/** `orders-eu` → `ordersEuDatabase`: with its type, it is neither a keyword nor the name of a package. */
function variableOf({ name, resource: { type } }: Thing): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const [first = "", ...others] = words.map((word) => word.toLowerCase());
  const joined = first + others.map(capitalized).join("");
  return /^[a-z]/.test(joined) ? joined + type : type.charAt(0).toLowerCase() + type.slice(1) + joined;
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
