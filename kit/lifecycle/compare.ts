import { isDeepStrictEqual } from "node:util";
import type { GivenNames } from "../context";
import type { AnyResource } from "../definition";
import { argumentPath, changeableArguments, isFilledInArgument } from "./arguments";
import {
  isFirstSinceImport,
  isIgnoredProperty,
  isKnown,
  isLocalProperty,
  isOnlyRecordedProperty,
  isUnreadProperty,
  isUnseenProperty,
  meansTheSame,
  type Properties,
  propertyTraits,
  type State,
} from "./properties";

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
export function compare(
  resource: AnyResource,
  { oldInputs, state, news, ignored }: Omit<Compared, "id">,
  names?: GivenNames,
): Difference[] {
  const deleted = state.deletedAt !== undefined;
  const differences = Object.keys(resource.args.shape).flatMap((property) => {
    const { requiresReplace, createOnly, writeOnly } = propertyTraits(resource, property);
    if (createOnly || isIgnoredProperty(property, ignored)) return [];
    const local = isLocalProperty(resource, property);
    const wanted = wantedOf(resource, property, { news, oldInputs });
    const isManaged = local || (requiresReplace && !writeOnly && oldInputs[property] !== undefined);
    if (wanted === undefined && !isManaged) return [];
    const isSame = isKnown(wanted) && meansTheSame(resource, property, { wanted, observed: state, names });
    if (isSame && !isUnreadProperty(resource, property, state)) return [];
    if (oldInputs[property] === undefined && isUnseenProperty(resource, property, state)) return [];
    // A value that changed only on the platform is reported as drift but never causes a replacement.
    const byProgram =
      !isKnown(wanted) || !isUnchangedArgument(resource, property, { wanted, before: oldInputs[property], state });
    return differencePaths(property, state[property], wanted).map(({ path, kind }) => ({
      property,
      path,
      kind,
      replaces:
        Boolean(requiresReplace) &&
        byProgram &&
        !deleted &&
        !isFirstSinceImport(resource, property, { oldInputs, state }),
    }));
  });
  for (const property of Object.keys(corrections(resource, { state, ignored })))
    differences.push({ property, path: property, kind: "update", replaces: false });
  return isRestored({ oldInputs, state, news, ...(ignored ? { ignored } : {}) })
    ? [...differences, { property: "deletedAt", path: "deletedAt", kind: "delete", replaces: false }]
    : differences;
}

/** Returns the outputs of a live object that the next update will correct, with their new values. */
const corrections = (
  { upheld }: AnyResource,
  { state, ignored }: { readonly state: State; readonly ignored?: Compared["ignored"] },
): Properties =>
  Object.fromEntries(
    Object.entries(upheld).filter(
      ([property, value]) =>
        state.deletedAt === undefined && (state[property] ?? value) !== value && !isIgnoredProperty(property, ignored),
    ),
  );

/**
 * Returns the value that the program wants for a property: the default if the program has removed the property, and
 * `undefined` if it never set the property.
 */
function wantedOf(
  resource: AnyResource,
  property: string,
  { news, oldInputs }: Pick<Compared, "news" | "oldInputs">,
): unknown {
  const isRemoved = oldInputs[property] !== undefined && !isFilledInArgument(oldInputs, property);
  return news[property] ?? (isRemoved ? propertyTraits(resource, property).default : undefined);
}

function isUnchangedArgument(
  resource: AnyResource,
  property: string,
  { wanted, before, state }: { wanted: unknown; before: unknown; state: Properties },
): boolean {
  if (isDeepStrictEqual(wanted, before)) return true;
  // The old inputs lack a required argument only after a deleted object was imported, because the record of a deleted
  // object is incomplete.
  if (before === undefined) return !resource.args.shape[property]?.safeParse(undefined).success;
  return meansTheSame(resource, property, { wanted, observed: { ...state, [property]: before } });
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
  const changed = changeableArguments(resource)
    .filter((property) => differing.has(property) && !isOnlyRecordedProperty(resource, property, compared))
    .map((property) => [property, wantedOf(resource, property, compared)]);
  return { ...Object.fromEntries(changed), ...corrections(resource, compared) };
}
