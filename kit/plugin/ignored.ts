import { isDeepStrictEqual } from "node:util";
import type { AnyResource } from "../definition";
import { isMap, type Sides } from "../lifecycle/comparison";
import { isKnown, type Properties } from "../lifecycle/properties";

/** The names and indexes of a path in a resource option of Pulumi, for example `["allowedIps", "0"]`. */
type Path = readonly string[];

const PART = /\.?(?:([^.[]+)|\["((?:\\"|[^"])*)"\]|\[([^"\]]*)\])/gy;

const parsePath = (text: string): Path =>
  [...text.matchAll(PART)].map(([, name, quoted, index]) => name ?? quoted?.replaceAll('\\"', '"') ?? index ?? "");

/** Returns what the paths in `ignoreChanges` cover: whole properties, and parts of properties. */
export function ignoredInRequest(ignoreChanges: readonly string[]): {
  readonly properties: ReadonlySet<string>;
  readonly parts: readonly Path[];
} {
  const paths = ignoreChanges.map(parsePath);
  const whole = paths.filter(({ length }) => length === 1).flat();
  return { properties: new Set(whole), parts: paths.filter(({ length }) => length > 1) };
}

/**
 * Returns the arguments in the program with the platform's values for the ignored parts of properties. The engine itself
 * reverts the program's changes to these parts, but does not know the changes made on the platform.
 */
export function keepIgnoredParts(
  resource: AnyResource,
  { oldInputs, state, news }: Omit<Sides, "id">,
  parts: readonly Path[],
): Properties {
  const kept = Object.entries(news).map(([name, wanted]) => {
    const inside = within(name, parts);
    const property = resource.properties.get(name);
    const before = oldInputs[name];
    if (inside.length === 0 || !property.isShown || !isKnown(wanted) || !isKnown(before)) return [name, wanted];
    const same = (one: unknown, observed: unknown) => property.isEqual(one, { ...state, [name]: observed });
    return [name, keepParts({ wanted, before, observed: state[name] }, inside, same)];
  });
  return Object.fromEntries(kept);
}

const within = (name: string, paths: readonly Path[]): Path[] =>
  paths.filter(([first]) => first === name || first === "*").map(([, ...rest]) => rest);

interface Versions {
  readonly wanted: unknown;
  readonly before: unknown;
  readonly observed: unknown;
}

type Same = (wanted: unknown, observed: unknown) => boolean;

function keepParts({ wanted, before, observed }: Versions, parts: readonly Path[], same: Same): unknown {
  if (same(before, observed)) return wanted;
  // An element of a list has no identity, and the platform does not keep the order, so the program's additions and
  // removals are applied to the platform's list.
  if (Array.isArray(wanted) && Array.isArray(before) && Array.isArray(observed)) {
    const removed = before.filter((item) => !wanted.some((other) => isDeepStrictEqual(other, item)));
    const added = wanted.filter((item) => !before.some((other) => isDeepStrictEqual(other, item)));
    return [
      ...observed.filter((item) => !removed.some((one) => same([one], [item]))),
      ...added.filter((item) => !observed.some((other) => same([item], [other]))),
    ];
  }
  if (!isMap(wanted) || !isMap(before) || !isMap(observed)) return wanted;
  const merged = { ...wanted };
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(observed)])) {
    const inside = within(key, parts);
    if (inside.length === 0) continue;
    const versions = { wanted: wanted[key], before: before[key], observed: observed[key] };
    const isWhole = inside.some(({ length }) => length === 0) && isDeepStrictEqual(wanted[key], before[key]);
    merged[key] = isWhole ? observed[key] : keepParts(versions, inside, isDeepStrictEqual);
    if (merged[key] === undefined) delete merged[key];
  }
  return merged;
}
