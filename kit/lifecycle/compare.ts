import { isDeepStrictEqual } from "node:util";
import type { GivenNames } from "../context";
import type { AnyResource } from "../definition";
import type { Property } from "../property";
import { argumentPath } from "./arguments";
import { isIgnoredProperty, isKnown, type Properties, type State } from "./properties";

export interface Difference {
  readonly property: string;
  /** Path of the value that differs, for example `keepers.color`. */
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
}

export interface Compared {
  readonly id: string;
  readonly oldInputs: Properties;
  readonly state: State;
  readonly news: Properties;
  /** Names of the arguments that `ignoreChanges` covers; `*` covers all arguments. */
  readonly ignored?: ReadonlySet<string>;
}

/** Compares the program with the recorded state, property by property. Sends no request. */
export function compare(resource: AnyResource, compared: Omit<Compared, "id">, names?: GivenNames): Difference[] {
  const differences = resource.properties.all
    .filter(({ name }) => !isIgnoredProperty(name, compared.ignored))
    .flatMap((property) =>
      property.isInput ? differencesOf(property, compared, names) : correctionsOf(property, compared.state),
    );
  return isRestored(compared)
    ? [...differences, { property: "deletedAt", path: "deletedAt", kind: "delete", replaces: false }]
    : differences;
}

function differencesOf(
  property: Property,
  { oldInputs, state, news }: Pick<Compared, "oldInputs" | "state" | "news">,
  names: GivenNames | undefined,
): Difference[] {
  const { name, onChange, isLocal, isShown } = property;
  if (onChange === "warn") return [];
  const before = oldInputs[name];
  const wanted = property.wanted(news, oldInputs);
  const isManaged = isLocal || (isShown && onChange === "replace" && before !== undefined);
  if (wanted === undefined && !isManaged) return [];
  if (isKnown(wanted) && property.isEqual(wanted, state, names) && !property.isLeftOutOf(state)) return [];
  if (before === undefined && property.isHiddenSinceImport(state)) return [];
  // A value that changed only on the platform is reported as drift but never causes a replacement.
  const byProgram = !isKnown(wanted) || !isUnchanged(property, { wanted, before, state });
  const isFirst = property.isUnsetSinceImport({ oldInputs, state });
  const replaces = onChange === "replace" && byProgram && state.deletedAt === undefined && !isFirst;
  return differencePaths(name, state[name], wanted).map((path) => ({ property: name, ...path, replaces }));
}

/** Returns the difference of an output of a live object that the next update will correct. */
const correctionsOf = ({ name, upheld }: Property, state: State): Difference[] =>
  state.deletedAt === undefined && upheld !== undefined && (state[name] ?? upheld) !== upheld
    ? [{ property: name, path: name, kind: "update", replaces: false }]
    : [];

function isUnchanged(
  property: Property,
  { wanted, before, state }: { wanted: unknown; before: unknown; state: Properties },
): boolean {
  if (isDeepStrictEqual(wanted, before)) return true;
  // The old inputs lack a required argument only after a deleted object was imported, because the record of a deleted
  // object is incomplete.
  if (before === undefined) return property.isRequired;
  return property.isEqual(wanted, { ...state, [property.name]: before });
}

function differencePaths(property: string, observed: unknown, wanted: unknown): Pick<Difference, "path" | "kind">[] {
  if (isMap(observed) && isMap(wanted)) {
    return [...new Set([...Object.keys(observed), ...Object.keys(wanted)])]
      .filter((key) => !isDeepStrictEqual(observed[key], wanted[key]))
      .map((key) => ({ path: argumentPath(property, [key]), kind: differenceKind(observed[key], wanted[key]) }));
  }
  return [{ path: property, kind: differenceKind(observed, wanted) }];
}

const differenceKind = (observed: unknown, wanted: unknown): Difference["kind"] =>
  observed === undefined ? "add" : wanted === undefined || wanted === null ? "delete" : "update";

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns whether an update restores the deleted object. The user can prevent the restore with `ignoreChanges`. */
export const isRestored = ({ state, ignored }: Omit<Compared, "id">): boolean =>
  state.deletedAt !== undefined && !isIgnoredProperty("deletedAt", ignored);

/**
 * Returns the changes that an update makes: the changed arguments that the platform can update in place, and the
 * outputs that have drifted from their fixed values (`upheld`).
 */
export function changesFromComparison(resource: AnyResource, compared: Omit<Compared, "id">): Properties {
  const differing = new Set(compare(resource, compared).map(({ property }) => property));
  const { news, oldInputs } = compared;
  return Object.fromEntries(
    resource.properties.all
      .filter((one) => differing.has(one.name) && one.isChangeable && !one.isOnlyRecorded(compared))
      .map((property) => [property.name, property.wanted(news, oldInputs)]),
  );
}
