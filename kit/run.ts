import { isDeepStrictEqual } from "node:util";
import type { DeletedContainer, GivenNames, RunView } from "./context";
import type { AnyResource } from "./definition";
import type { Comparison, Sides } from "./lifecycle/comparison";
import type { Properties, State } from "./lifecycle/properties";
import { titleOf, titlePhrase } from "./phrases";
import { bringsBack } from "./restorable";
import {
  containerIn,
  containerOf,
  type Drift,
  givenName,
  type Happened,
  hasState,
  importedAfter,
  importedName,
  isOfRestoration,
  keeps,
  lastOf,
  type RunEvent,
  type StackObject,
  showsImported,
  showsLive,
  showsStackObject,
} from "./run-events";

/** A set of objects that all providers of a program share. */
export interface SharedObjects {
  add(object: string): unknown;
  has(object: string): boolean;
}

/** A run's record of a resource in the program or in the stack: what has happened to it, and what follows from it. */
export class ResourceRecord {
  /** At most about ten events, because a run takes only a few steps with each resource. */
  readonly events: RunEvent[] = [];
  /** Check, Read: the values that no other resource may use, by argument. `Run.claim` asks and sets them. */
  readonly claims: Record<string, string | undefined> = {};

  /** @param urn The URN in the program, or in the stack's state if this update knows no other. */
  constructor(public urn: string) {}

  /** The inputs, once the program has declared the resource. */
  get inputs(): Properties | undefined {
    return lastOf(this.events, "check")?.inputs;
  }

  get isNameProposed(): boolean {
    return lastOf(this.events, "check")?.isNameProposed === true;
  }

  get isNameOmitted(): boolean {
    return lastOf(this.events, "check")?.isNameOmitted === true;
  }

  /** The inputs that the last update recorded. */
  get recordedInputs(): Properties | undefined {
    return lastOf(this.events, "read")?.inputs;
  }

  /**
   * One entry for each object that the state contains under this URN, by id; `undefined` if the platform no longer has it.
   * There are several if a replacement could not delete the old one (`replaced-object.ts`).
   */
  get objects(): ReadonlyMap<string, StackObject | undefined> {
    const objects = new Map<string, StackObject | undefined>();
    for (const event of this.events) {
      if (showsStackObject(event)) objects.set(event.id, event);
      if (event.step === "found absent") objects.set(event.id, undefined);
    }
    return objects;
  }

  /** The object that the engine compares with the program. */
  get compared(): Happened<"diff"> | undefined {
    return this.events.findLast((event): event is Happened<"diff"> => event.step === "diff" && event.isDeclared);
  }

  /** The live object that the resource manages, with its title at that time. */
  get manages(): { readonly type: string; readonly id: string; readonly title: string } | undefined {
    const shown = this.events.findLast(showsLive);
    return shown && { type: shown.resource.type, id: shown.id, title: titleOf(shown.resource, shown.state) };
  }

  /** The last comparison, unless the program replaces the object. */
  get comparisonUnlessReplaced(): Comparison | undefined {
    const decided = lastOf(this.events, "decided");
    return decided?.replaces ? undefined : decided?.comparison;
  }

  /** Whether the program replaces the object, but this update has given the resource no other one yet. */
  get lacksReplacement(): boolean {
    const decided = lastOf(this.events, "decided");
    return decided?.isDeclared === true && decided.replaces && !this.hasOtherObject;
  }

  /** The old object, if the program takes a replacement back that could not delete it. */
  get takenBack(): Comparison | undefined {
    return lastOf(this.events, "decided")?.takenBack;
  }

  /**
   * Why this credential cannot replace the object, and the object's type and name, worded for use within a sentence. Diff
   * does not fail for this reason, because it may run in a preview. The preview of Create only warns; Create and Delete
   * fail.
   */
  get lackOfCredential(): { readonly reason: string; readonly replaced: string } | undefined {
    const decided = lastOf(this.events, "decided");
    if (decided?.lack === undefined) return undefined;
    return { reason: decided.lack, replaced: titlePhrase(decided.resource, decided.comparison.state) };
  }

  /** Id of the imported object that the resource manages. Delete keeps any other object of the resource. */
  get importedId(): string | undefined {
    return this.events.reduce<string | undefined>(importedAfter, undefined);
  }

  /** Whether this update has given the resource another object, new or old. The one before can then be deleted. */
  get hasOtherObject(): boolean {
    return this.events.some(({ step }) => step === "created" || step === "taken over");
  }
}

/**
 * A run's record of an object on the platform. An object that a preview plans to create has no id yet, so the URN of
 * its resource stands for it.
 */
export class ObjectRecord {
  /** At most about ten events, because a run takes only a few steps with each object. */
  readonly events: RunEvent[] = [];
  /** The events of all objects in this container, with at most about ten for each object. */
  readonly inside: RunEvent[] = [];

  constructor(
    readonly type: string,
    readonly id: string,
    private readonly run: Run,
  ) {}

  /**
   * The URN of the resource that has the object in the stack's state, live or deleted, or that imports it. It is the one
   * in the program if an alias is recognized.
   */
  get readUnder(): string | undefined {
    const read = this.events.findLast(({ step }) => step === "read" || step === "import");
    return read && this.run.resource(read.urn).urn;
  }

  /** The deleted container to which the live object belongs. */
  get deletedOwner(): Happened<"found">["deletedOwner"] {
    return lastOf(this.events, "found")?.deletedOwner;
  }

  /** The changes that somebody made on the platform. */
  get drift(): Drift | undefined {
    return lastOf(this.events, "found")?.drift;
  }

  /** What the platform has, if Diff has read the object in place of the engine. */
  get observed(): State | undefined {
    return lastOf(this.events, "observed")?.state;
  }

  /** Whether the program replaces the object. */
  get isReplaced(): boolean {
    return this.#replacement !== undefined;
  }

  /**
   * Whether this update deletes the object before it creates a new one with the same name. A preview deletes nothing, so
   * nothing else shows it there.
   */
  get isDeletedFirst(): boolean {
    return this.#replacement?.deleteBeforeReplace === true;
  }

  /** How the program replaces the object, once it is certain that it still declares it. */
  get #replacement(): Happened<"decided"> | undefined {
    const decided = lastOf(this.events, "decided");
    return decided?.isDeclared && decided.replaces && !decided.isRefused ? decided : undefined;
  }

  /** The objects with data in this container that the stack manages, with their titles. */
  get contents(): ReadonlyMap<ObjectRecord, string> {
    const shown = this.inside.filter(showsLive).filter(({ resource }) => resource.softDeleted !== undefined);
    return new Map(
      shown.map(({ resource, id, state }) => [this.run.object(resource.type, id), titleOf(resource, state)]),
    );
  }

  /** In a preview, the resource that will create the object, as messages name it. */
  get plannedBy(): string | undefined {
    return lastOf(this.events, "plan create")?.as;
  }

  /** Whether this update created, imported or updated the object, or found it unchanged. */
  get isInUse(): boolean {
    return this.events.some(keeps);
  }

  /** Title and id of a kept object that would be deleted together with this one. */
  get inUseInside(): string | undefined {
    const last = this.inside.findLast(keeps);
    return last && `${last.title} (${last.id})`;
  }

  /**
   * Whether this update restores the object or, in a preview, `pulumi up` would restore it. The inputs of resources that
   * are part of the object, such as its configuration, are then applied again.
   */
  get isBeingRestored(): boolean {
    return this.#restoration !== undefined;
  }

  get #restoration(): Happened<"restore" | "plan restore"> | undefined {
    const last = this.events.findLast(isOfRestoration);
    return last?.step === "restore refused" ? undefined : last;
  }

  /** Whether the object is being restored, together with what was deleted with it at this time (RFC 3339). */
  isBeingRestoredFrom(deletedAt: string): boolean {
    const restoration = this.#restoration;
    return restoration !== undefined && bringsBack(restoration, deletedAt);
  }

  /** Whether this update has restored the object, as the platform has confirmed. */
  get isLiveAgain(): boolean {
    return lastOf(this.events, "updated") !== undefined;
  }

  /** The name that this update gives to the object or, in a preview, that `pulumi up` would give it. */
  get name(): string | undefined {
    const last = this.events.findLast((event) => event.step === "restore refused" || givenName(event) !== undefined);
    return last && givenName(last);
  }

  /** Set if this update or an earlier one has imported the object, with its name at that time, if it is known. */
  get importedAs(): { readonly name?: string | undefined } | undefined {
    const last = this.events.findLast(showsImported);
    return last ? { name: importedName(last) } : lastOf(this.events, "import") && {};
  }

  /** Whether a dynamic provider should have imported the object, but could not. */
  get isImportFailed(): boolean {
    return lastOf(this.events, "import failed") !== undefined;
  }

  /** Whether this update has created the object. */
  get created(): boolean {
    return lastOf(this.events, "created") !== undefined;
  }

  /** Whether this update has deleted the object. */
  get deleted(): boolean {
    return lastOf(this.events, "deleted") !== undefined;
  }

  /**
   * Whether a resource takes the object over, as the old object of a failed replacement, with whichever provider of the
   * program.
   */
  get takeover(): "begun" | "done" | undefined {
    const { takeovers } = this.run;
    if (!takeovers.has(takeoverText(this, "begun"))) return undefined;
    return takeovers.has(takeoverText(this, "done")) ? "done" : "begun";
  }
}

/** Tracks the tasks of one kind that are in progress in this update, for example all restores. */
class WorkInProgress {
  /** The tasks in progress, which Pulumi's option `parallel` limits. */
  readonly #works = new Set<Promise<unknown>>();
  #begun = 0;
  #ended = 0;

  async run<T>(begin: () => Promise<T>): Promise<T> {
    this.#begun++;
    const work = begin();
    this.#works.add(work);
    try {
      return await work;
    } finally {
      this.#works.delete(work);
      this.#ended++;
    }
  }

  /**
   * Returns what `look` finds, or `undefined` at once if it finds nothing. If it finds something, such as a problem that a
   * task in progress may solve, waits for the tasks, and looks once more if one has ended.
   */
  async stillFinds<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    const ended = this.#ended;
    const found = await look();
    if (found === undefined) return undefined;
    await Promise.allSettled(this.#works);
    return ended === this.#ended ? found : look();
  }

  /**
   * Waits until no task is in progress, and then runs a check. If the check finds a problem and a task has started
   * during the check, waits and checks again.
   */
  async lookBetween<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    for (;;) {
      await Promise.allSettled(this.#works);
      const begun = this.#begun;
      const found = await look();
      if (found === undefined || begun === this.#begun) return found;
    }
  }
}

/**
 * Everything that one preview or update knows: one record for each resource, by URN, and one for each object, by type
 * and id. No step remembers anything for another that is not written here.
 */
export class Run implements RunView {
  readonly deletions: WorkInProgress;
  readonly restorations: WorkInProgress;
  /** Configure: whether the engine reads every resource of the stack before the program runs. */
  readsFirst = false;
  /** The objects that this update imports for a URN that was not in the stack: one for each option `import`. */
  readonly #imports: Set<ObjectRecord>;
  /** One entry for each resource in the program or in the stack. */
  readonly #resources: Map<string, ResourceRecord>;
  /** One entry for each object that such a resource manages, plans, imports or refers to. */
  readonly #objects: Map<string, ObjectRecord>;
  // Indexes by value, because searching 10,000 records for each new resource would take seconds. The records
  // decide whether they still have the value, so nothing is ever removed here: one entry for each unique argument.
  readonly #claimants: Map<string, Set<string>>;
  // One entry for each name that this run gives or imports.
  readonly #bearers: Map<string, Set<ObjectRecord>>;
  // One entry for each type and inputs that the last update recorded.
  readonly #byRecorded: Map<string, Set<ResourceRecord>>;
  /** One entry for each value that resources share, and at most one for each kind of warning about an object. */
  readonly #once = new Map<string, Promise<unknown>>();
  /** One entry for each thing that messages say only once, or only a few times. */
  readonly #counts = new Map<string, number>();

  /**
   * @param takeovers Old objects of failed replacements that resources take over in this update.
   * @param announced Objects of which a preview says that `pulumi up` restores them, for the update of the same command.
   * @param other The same preview or update with another credential for the account. It has the same records, but not
   *   the same answers of the platform, which may depend on the credential.
   */
  constructor(
    readonly takeovers: SharedObjects = new Set(),
    readonly announced: SharedObjects = new Set(),
    other?: Run,
  ) {
    this.deletions = other?.deletions ?? new WorkInProgress();
    this.restorations = other?.restorations ?? new WorkInProgress();
    this.#imports = other ? other.#imports : new Set();
    this.#resources = other ? other.#resources : new Map();
    this.#objects = other ? other.#objects : new Map();
    this.#claimants = other ? other.#claimants : new Map();
    this.#bearers = other ? other.#bearers : new Map();
    this.#byRecorded = other ? other.#byRecorded : new Map();
  }

  /** Remembers what has happened. */
  note(event: RunEvent): void {
    const record = this.resource(event.urn);
    record.events.push(event);
    if (!("id" in event) || event.id === undefined) return;
    const type = "type" in event ? event.type : event.resource.type;
    const object = this.object(type, event.id);
    object.events.push(event);
    const container = containerIn(event);
    if (container) this.object(container.type, container.id).inside.push(event);
    const name = showsImported(event) ? importedName(event) : givenName(event);
    if (name !== undefined) this.#addBearer(object, name);
    if (event.step === "import") this.#imports.add(object);
    if (event.step === "take over") this.takeovers.add(takeoverText(object, "begun"));
    if (event.step === "taken over") this.takeovers.add(takeoverText(object, "done"));
    if (event.step === "read")
      entryInRun(this.#byRecorded, typeAndInputs(type, event.inputs), () => new Set<ResourceRecord>()).add(record);
  }

  /**
   * Returns what is compared, with the values of an earlier event where they are equal. The engine sends back what the
   * provider has answered, so a run would otherwise hold each state several times.
   */
  sharing({ type }: AnyResource, sides: Sides): Sides {
    const known = this.object(type, sides.id).events.findLast(hasState);
    if (!known) return sides;
    const { oldInputs, state, news } = sides;
    const same = <T extends Properties>(earlier: T, value: T): T =>
      isDeepStrictEqual(earlier, value) ? earlier : value;
    const [inputs, wanted] = [same(known.inputs, oldInputs), same(known.inputs, news)];
    return { ...sides, oldInputs: inputs, state: same(known.state, state), news: wanted };
  }

  resource(urn: string): ResourceRecord {
    return entryInRun(this.#resources, urn, () => new ResourceRecord(urn));
  }

  object(type: string, id: string): ObjectRecord {
    return entryInRun(this.#objects, `${type} ${id}`, () => new ObjectRecord(type, id, this));
  }

  /**
   * Makes one record stand for a resource with two URNs: the former one's, with what happened under the other.
   * With an alias, the engine reads and deletes an object under the former URN. A dynamic provider knows a resource by its
   * id, or by its name in the program, but never by its URN.
   *
   * @param former The URN under which the last update recorded the resource.
   */
  alias(former: string, urn: string): void {
    const [record, declared] = [this.resource(former), this.resource(urn)];
    if (record === declared) return;
    this.#resources.set(urn, record);
    record.urn = urn;
    record.events.push(...declared.events.filter((event) => event.urn === urn));
    Object.assign(record.claims, declared.claims);
  }

  /**
   * Recognizes a resource that the program declares with an alias. A comparison shows the alias, but the engine makes
   * none if an option forces a replacement. Then only the recorded inputs show it.
   *
   * @param olds The inputs that the last update recorded. Empty for a new resource.
   */
  recognize({ type, named, keyed }: AnyResource, urn: string, olds: Properties): void {
    const hasUniqueInputs = (named ?? keyed) !== undefined;
    if (!this.readsFirst || !hasUniqueInputs || Object.keys(olds).length === 0 || this.resource(urn).recordedInputs)
      return;
    let former: ResourceRecord | undefined;
    for (const record of this.#byRecorded.get(typeAndInputs(type, olds)) ?? []) {
      if (record.inputs !== undefined || !isDeepStrictEqual(record.recordedInputs, olds)) continue;
      if (former) return;
      former = record;
    }
    if (former) this.alias(former.urn, urn);
  }

  /** Recognizes a resource that the program declares with an alias when the engine compares an object that was read. */
  recognizeCompared({ type }: AnyResource, urn: string, id: string): void {
    const object = this.object(type, id);
    if (this.resource(urn).inputs === undefined || object.readUnder === undefined) return;
    // An import takes an object from the resource that had it.
    if (!this.imports.has(object) && this.resource(object.readUnder).inputs === undefined)
      this.alias(object.readUnder, urn);
  }

  /**
   * Recognizes a resource that the program declares with an alias when the engine deletes its object under the former URN,
   * under which this update has read nothing.
   */
  recognizeDeleted({ type }: AnyResource, urn: string, id: string): void {
    const object = this.object(type, id);
    const { inputs, recordedInputs } = this.resource(urn);
    if (inputs !== undefined || recordedInputs !== undefined || this.imports.has(object)) return;
    const declared = this.resourceOf(object);
    if (declared?.inputs !== undefined) this.#resources.set(urn, declared);
  }

  /** Returns the resource that has the object in the stack's state, or that manages it if this update has not read it. */
  resourceOf({ type, id, readUnder }: ObjectRecord): ResourceRecord | undefined {
    const known = readUnder ?? this.urnOf(type, id);
    return known === undefined ? undefined : this.resource(known);
  }

  /**
   * Returns the URN of the resource that manages this live object. If there are several, for example because of an alias
   * that is not recognized, it is the first one.
   */
  urnOf(type: string, id: string): string | undefined {
    return this.object(type, id)
      .events.filter(showsLive)
      .map(({ urn }) => this.resource(urn))
      .find(({ manages }) => manages?.type === type && manages.id === id)?.urn;
  }

  get imports(): ReadonlySet<ObjectRecord> {
    return this.#imports;
  }

  /** Returns the objects of this type to which this update gives the name, or that had it when they were imported. */
  named(type: string, name: string): readonly ObjectRecord[] {
    return [...(this.#bearers.get(`${type} ${name}`) ?? [])].filter(
      (object) => object.name === name || object.importedAs?.name === name,
    );
  }

  readonly names: GivenNames = {
    of: (type, id) => this.object(type, id).name,
    idsOf: (type, name) => this.#given(type, name).map(({ id }) => id),
  };

  readonly plannedBy = (type: string, name: string): string | undefined =>
    this.#given(type, name).findLast(({ plannedBy }) => plannedBy !== undefined)?.plannedBy;

  readonly inStack = (type: string, id: string): boolean => this.object(type, id).readUnder !== undefined;

  readonly leavesStack = (type: string, id: string): boolean => {
    const { readUnder } = this.object(type, id);
    return readUnder !== undefined && this.resource(readUnder).inputs === undefined;
  };

  readonly replaces = (type: string, id: string): boolean => this.object(type, id).isReplaced;

  readonly restores = (type: string, id: string): boolean => this.object(type, id).isBeingRestored;

  readonly restoresWith = ({ type, id, deletedAt }: DeletedContainer): boolean =>
    this.object(type, id).isBeingRestoredFrom(deletedAt);

  /**
   * Returns whether an interrupted replacement may already have deleted the object. The engine does not read such an
   * object, even if it reads all other objects before the program runs.
   */
  mayBeDeletedAlready({ type }: AnyResource, id: string): boolean {
    const object = this.object(type, id);
    return object.takeover !== undefined || (this.readsFirst && object.readUnder === undefined);
  }

  /**
   * Claims a value that only one resource of a program may use, instead of the value that the resource has claimed for
   * the same argument before. Returns the URN of the resource that has already claimed the value, if there is one.
   *
   * @param what The claimed value, for example `Note name orders`.
   */
  claim(urn: string, property: string, what: string): string | undefined {
    const record = this.resource(urn);
    delete record.claims[property];
    const claimants = entryInRun(this.#claimants, what, () => new Set<string>());
    for (const other of claimants) {
      const { urn: claimant, claims } = this.resource(other);
      if (claims !== record.claims && Object.values(claims).includes(what)) return claimant;
    }
    claimants.add(urn);
    record.claims[property] = what;
    return undefined;
  }

  /** Returns how often this run has asked to say this, for messages that are shown only once, or only a few times. */
  count(what: string): number {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return count;
  }

  readonly once = <T>(what: string, load: () => Promise<T>): Promise<T> => {
    const known = this.#once.get(what) as Promise<T> | undefined;
    if (known) return known;
    const loaded = load();
    this.#once.set(what, loaded);
    loaded.catch(() => this.#once.delete(what));
    return loaded;
  };

  #addBearer(object: ObjectRecord, name: string): void {
    const bearers = entryInRun(this.#bearers, `${object.type} ${name}`, () => new Set<ObjectRecord>());
    // The object that had the name last stands last.
    bearers.delete(object);
    bearers.add(object);
  }

  #given(type: string, name: string): readonly ObjectRecord[] {
    return this.named(type, name).filter((object) => object.name === name);
  }
}

/** Returns the record of the container to which an object belongs. */
export function ownerInRun(resource: AnyResource, state: Properties, run: Run): ObjectRecord | undefined {
  const container = containerOf(resource, state);
  return container && run.object(container.type, container.id);
}

/**
 * Returns an object in a container that must not be deleted with it while the container is replaced: this update has
 * kept it, or the stack manages it, and this update has neither deleted nor replaced it.
 */
export function inUseInsideReplaced(container: ObjectRecord, run: Run): string | undefined {
  if (container.inUseInside !== undefined) return container.inUseInside;
  const [object, title] =
    [...container.contents].find(([each]) => !each.deleted && !run.resourceOf(each)?.hasOtherObject) ?? [];
  return object && `${title} (${object.id})`;
}

/**
 * Returns whether the resource is part of an object that this update has restored, such as the settings of a
 * restored notebook. The program's properties must then be applied again, even if the resource looks unchanged.
 */
export const isPartOfRestored = (resource: AnyResource, state: Properties, run: Run): boolean =>
  resource.inside?.isPart === true && ownerInRun(resource, state, run)?.isBeingRestored === true;

const takeoverText = ({ type, id }: Pick<ObjectRecord, "type" | "id">, moment: "begun" | "done"): string =>
  `${type} ${id} ${moment}`;

/** Returns the same text for inputs of a type that are equal, whatever the order of their properties. */
const typeAndInputs = (type: string, inputs: Properties): string =>
  `${type} ${JSON.stringify(inputs, (_, value: unknown) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )}`;

function entryInRun<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
