import { isDeepStrictEqual } from "node:util";
import type { GivenNames } from "../context";
import type { AnyResource } from "../definition";
import type { Property } from "../property";
import { argumentPath } from "./arguments";
import { isIgnoredProperty, isKnown, type Properties, type State } from "./properties";

export interface Difference {
  readonly property: Property;
  /** Path of the value that differs, for example `keepers.color`. */
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
}

/** What is compared: the program's inputs, now and at the last update, and the state of the object. */
export interface Sides {
  readonly id: string;
  readonly oldInputs: Properties;
  readonly state: State;
  readonly news: Properties;
  /** Names of the arguments that `ignoreChanges` covers; `*` covers all arguments. */
  readonly ignored?: ReadonlySet<string> | undefined;
}

/** The program compared with an object of the resource. Sends no request. */
export class Comparison implements Sides {
  readonly id: string;
  readonly oldInputs: Properties;
  readonly state: State;
  readonly news: Properties;
  readonly ignored: ReadonlySet<string> | undefined;
  #differences: readonly Difference[] | undefined;

  constructor(
    readonly resource: AnyResource,
    { id, oldInputs, state, news, ignored }: Sides,
  ) {
    this.id = id;
    this.oldInputs = oldInputs;
    this.state = state;
    this.news = news;
    this.ignored = ignored;
  }

  /** The comparison with other inputs, or with another state of the object. */
  with(sides: Partial<Sides>): Comparison {
    return new Comparison(this.resource, { ...this, ...sides });
  }

  /** The differences by the values alone, property by property. */
  get differences(): readonly Difference[] {
    this.#differences ??= compare(this.resource, this);
    return this.#differences;
  }

  /** Returns the differences that remain if references by name mean the objects to which this run gives the names. */
  differencesGiven(names: GivenNames): Difference[] {
    return compare(this.resource, this, names);
  }

  /** Whether an update restores the deleted object. The user can prevent the restore with `ignoreChanges`. */
  get isRestored(): boolean {
    return isRestored(this);
  }

  /** Whether an update leaves the object deleted. */
  get staysDeleted(): boolean {
    return this.state.deletedAt !== undefined && !this.isRestored;
  }

  /**
   * The name that an update gives to the object. If it cannot change the name of a restored object, the current name,
   * because the name in the program may belong to another object.
   */
  get nextName(): string | undefined {
    const { resource, state, news, ignored } = this;
    if (!resource.named) return undefined;
    const isDeleted = state.deletedAt !== undefined;
    const isFixed =
      resource.properties.get("name").onChange === "replace" && !(isDeleted && resource.softDeleted?.renames);
    const name = isIgnoredProperty("name", ignored) || isFixed ? state.name : news.name;
    return typeof name === "string" && (isDeleted || name !== state.name) ? name : undefined;
  }

  /**
   * The changes that an update makes: the changed arguments that the platform can update in place, and the outputs that
   * have drifted from their fixed values (`upheld`).
   */
  get changes(): Properties {
    const differing = new Set(this.differences.map(({ property }) => property.name));
    return Object.fromEntries(
      this.resource.properties.all
        .filter((one) => differing.has(one.name) && one.isChangeable && !one.isOnlyRecorded(this))
        .map((property) => [property.name, property.wanted(this.news, this.oldInputs)]),
    );
  }

  /** All of the program's arguments that an update may send, whether they differ or not. */
  get updatable(): Properties {
    const { resource, news, ignored } = this;
    return Object.fromEntries(
      resource.properties.inputs
        .filter(
          ({ name, isChangeable }) => isChangeable && news[name] !== undefined && !isIgnoredProperty(name, ignored),
        )
        .map(({ name }) => [name, news[name]]),
    );
  }
}

/** Compares the program with the state, property by property. */
export function compare(resource: AnyResource, sides: Omit<Sides, "id">, names?: GivenNames): Difference[] {
  const { properties } = resource;
  const differences = properties.all
    .filter(({ name }) => !isIgnoredProperty(name, sides.ignored))
    .flatMap((property) =>
      property.isInput ? differencesOf(property, sides, names) : correctionsOf(property, sides.state),
    );
  return isRestored(sides)
    ? [...differences, { property: properties.get("deletedAt"), path: "deletedAt", kind: "delete", replaces: false }]
    : differences;
}

const isRestored = ({ state, ignored }: Omit<Sides, "id">): boolean =>
  state.deletedAt !== undefined && !isIgnoredProperty("deletedAt", ignored);

function differencesOf(
  property: Property,
  { oldInputs, state, news }: Omit<Sides, "id">,
  names: GivenNames | undefined,
): Difference[] {
  const { name, onChange, isLocal, isShown, isRecordedIfSet } = property;
  if (onChange === "warn") return [];
  const before = oldInputs[name];
  const wanted = property.wanted(news, oldInputs);
  const isReset = isShown && onChange === "replace" && before !== undefined && !isRecordedIfSet;
  const isManaged = isLocal || isReset;
  if (wanted === undefined && !isManaged) return [];
  // What the state leaves out says nothing of a replacement: `isReplacedOnceRead` asks the platform.
  const isUnread = property.isLeftOutOf(state) && onChange !== "replace";
  if (isKnown(wanted) && property.isEqual(wanted, state, names) && !isUnread) return [];
  // A value that changed only on the platform is reported as drift but never causes a replacement.
  const byProgram = !isKnown(wanted) || !isUnchanged(property, { wanted, before, state });
  const isFirst = property.isUnsetSinceImport({ oldInputs, state });
  const replaces = onChange === "replace" && byProgram && state.deletedAt === undefined && !isFirst;
  return differencePaths(name, state[name], wanted).map((path) => ({ property, ...path, replaces }));
}

/** Returns the difference of an output of a live object that the next update will correct. */
function correctionsOf(property: Property, state: State): Difference[] {
  const { name, upheld } = property;
  const isCorrected = state.deletedAt === undefined && upheld !== undefined && (state[name] ?? upheld) !== upheld;
  return isCorrected ? [{ property, path: name, kind: "update", replaces: false }] : [];
}

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
