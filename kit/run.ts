import { isDeepStrictEqual } from "node:util";
import type { GivenNames, RunView } from "./context";
import type { AnyResource } from "./definition";
import type { Comparison } from "./lifecycle/comparison";
import { isIgnoredProperty, type Properties, type State } from "./lifecycle/properties";
import { titleOf } from "./phrases";

/** A set of objects that all providers of a program share. */
export interface SharedObjects {
  add(object: string): unknown;
  has(object: string): boolean;
}

/** The properties of an object that differ from the program because somebody changed them on the platform. */
export interface Drift {
  readonly properties: readonly string[];
  /** The object's state as recorded by the last update. */
  readonly before: State;
  readonly observed: State;
}

/** An object in the state, with the inputs that the last update of it recorded. */
export interface Held {
  readonly id: string;
  readonly inputs: Properties;
  readonly state: State;
}

/** A run's record of a resource in the program or in the stack. The steps set the fields, and ask them. */
export class ResourceRecord {
  /** Check: the inputs, once the program has declared the resource. Diff, Delete and messages ask whether it has. */
  inputs: Properties | undefined;
  /** Check: whether the engine proposed a name, by autonaming settings that may give no random part. Create asks. */
  isNameProposed = false;
  /** Check: whether the program leaves the name out, so that it is generated or stays. Diff and Delete ask. */
  isNameOmitted = false;
  /** Read: the inputs that the last update recorded. Check finds a former URN by them. `Run.recordRead` sets them. */
  recorded: Properties | undefined;
  /**
   * Read, Diff: one entry for each object that the state contains under this URN, by id; `undefined` if the platform no
   * longer has it. There are several if a replacement could not delete the old one (`replaced-object.ts`).
   */
  readonly objects = new Map<string, Held | undefined>();
  /** Diff: id of the object that the engine compares with the program. Delete asks. */
  comparedId: string | undefined;
  /** Diff: the old object, if the program takes a replacement back that could not delete it. Check and Create ask. */
  takenBack: Comparison | undefined;
  /** Check, Read: the values that no other resource may use, by argument. `Run.claim` asks and sets them. */
  readonly claims: Record<string, string | undefined> = {};
  /**
   * Read, Diff: the live object that the resource manages, with its title at that time. Create asks whether it replaces
   * this object, and Read whether an import would.
   */
  manages: { readonly type: string; readonly id: string; readonly title: string } | undefined;
  /** Diff: the comparison, unless the program replaces the resource. Check and Create look for a withdrawn replacement. */
  matched: Comparison | undefined;
  /** Read, Diff, Delete, Update: id of the imported or restored object that Delete must find instead of another one. */
  imported: string | undefined;
  /** Read: the deleted container to which the object belongs. Diff warns of it. */
  deletedOwner: { readonly type: string; readonly id: string; readonly message: string } | undefined;
  /** Read: the changes that somebody made on the platform. Diff removes them, so that they are reported only once. */
  drift: Drift | undefined;
  /**
   * Diff: why this credential cannot replace the object, and the object's type and name, worded for use within a
   * sentence. Diff does not fail for this reason, because it may run in a preview. The preview of Create only warns;
   * Create and Delete fail.
   */
  lack: { readonly reason: string; readonly replaced: string } | undefined;
  /** Create: whether this update has created the object. Delete then needs no check of a replacement. */
  created = false;
  /**
   * Diff, Create: the object that the resource manages after this update, if it is known, the settings that the program
   * names, and whether this update creates or replaces the resource. Messages about left settings ask for it.
   */
  managesNext:
    | { readonly object: ObjectRecord | undefined; readonly names: ReadonlySet<string>; readonly isNew: boolean }
    | undefined;

  /** @param urn The URN in the program, or in the stack's state if this update knows no other. */
  constructor(public urn: string) {}
}

/** A run's record of the settings of an object that keeps them when a resource leaves it (`lasting-settings.ts`). */
interface ObjectSettings {
  /** Read, Diff, Delete: the settings that resources of the stack have set. Diff, Create and Delete ask. */
  readonly setBy: Map<ResourceRecord, Properties>;
  /** Diff, Create: where to look for the resources that manage the object after this update. */
  readonly nextManagers: Set<ResourceRecord>;
  /** Diff, Create, Delete: the settings that a message has listed, because each is listed only once. */
  readonly listed: Set<string>;
}

/** The facts that all records of objects share. */
interface Remembered {
  readonly managedAgain: SharedObjects;
  resource(urn: string): ResourceRecord;
  /** Notes that the object may be found by this name. */
  findable(object: ObjectRecord, name: string): void;
}

/**
 * A run's record of an object on the platform. An object that a preview plans to create has no id yet, so the URN of
 * its resource stands for it.
 */
export class ObjectRecord {
  /** Read, Diff: the URN whose resource manages the live object. Ask `Run.urnOf`, because the resource may have left. */
  managedBy: string | undefined;
  /** Create in a preview: the resource that will create the object, as messages name it. */
  planned: string | undefined;
  /**
   * Create, Update, Read, Diff: whether this update created, imported or updated the object, or found it unchanged.
   * Delete asks, because deleting the object in the same update would be a mistake.
   */
  kept = false;
  /** The same steps: title and id of a kept object that would be deleted together with this one. Delete asks. */
  holds: string | undefined;
  /** Create: whether this update created the object. Delete asks. */
  created = false;
  /**
   * Diff: whether this update deletes the object before it creates a new one with the same name. Diff of what the object
   * contains asks, also in a preview, which deletes nothing.
   */
  isDeletedFirst = false;
  /** Diff: whether the program replaces the object. Diff of what the object contains asks. */
  isReplaced = false;
  /**
   * Read, Diff: the objects with data in this container that the stack manages, with their titles: one for each. Delete
   * asks.
   */
  readonly contents = new Map<ObjectRecord, string>();
  /**
   * Update: whether this update restores the object or, in a preview, `pulumi up` would restore it. The inputs of
   * resources that are part of the object, such as its configuration, are then applied again.
   */
  restored = false;
  /** Diff: what the platform has, if Diff has read the object in place of the engine. Diff, Create and Update ask. */
  observed: State | undefined;
  /** Delete: whether this update has deleted the object. Diff and Create ask. */
  deleted = false;
  #settings: ObjectSettings | undefined;
  #readAs: string | undefined;
  #name: string | undefined;
  #imported: { readonly name?: string | undefined } | undefined;

  constructor(
    readonly type: string,
    readonly id: string,
    private readonly run: Remembered,
  ) {}

  /**
   * Read: the URN of the resource that has the object in the stack's state, live or deleted. It is the one in the program
   * if an alias is recognized. Advice and checks ask for it.
   */
  get urn(): string | undefined {
    return this.#readAs === undefined ? undefined : this.run.resource(this.#readAs).urn;
  }

  set urn(urn: string) {
    this.#readAs = urn;
  }

  /**
   * Create, Update: the name that this update gives to the object or, in a preview, that `pulumi up` would give it. Diff
   * asks whether a reference by name and a reference by id are equal, and checks whether a name is free.
   */
  get name(): string | undefined {
    return this.#name;
  }

  set name(name: string | undefined) {
    this.#name = name;
    if (name !== undefined) this.run.findable(this, name);
  }

  /**
   * Read, Diff: set if this update or an earlier one has imported the object, with its name at that time, if it is
   * known. Diff asks whether a replacement would move an object into an imported container.
   */
  get imported(): { readonly name?: string | undefined } | undefined {
    return this.#imported;
  }

  set imported(imported: { readonly name?: string | undefined } | undefined) {
    this.#imported = imported;
    if (imported?.name !== undefined) this.run.findable(this, imported.name);
  }

  /** Settings that may stay in force without a resource that names them. */
  get settings(): ObjectSettings {
    this.#settings ??= { setBy: new Map(), nextManagers: new Set(), listed: new Set() };
    return this.#settings;
  }

  /**
   * Create: whether this update manages the old object of an interrupted or failed replacement again, with whichever
   * provider of the program. Diff and Delete ask.
   */
  get managedAgain(): boolean {
    return this.run.managedAgain.has(`${this.type} ${this.id}`);
  }

  set managedAgain(_: true) {
    this.run.managedAgain.add(`${this.type} ${this.id}`);
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
   * Runs a check. If the check finds a problem, waits for the tasks in progress and runs the check again, because a
   * task may solve the problem.
   */
  async lookAgain<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
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
  /**
   * Read: the objects that this update imports for a URN that was not in the stack: one for each option `import`. Diff
   * and Delete ask.
   */
  readonly imports: Set<ObjectRecord>;
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
  /** One entry for each reason why the credential cannot do what the program wants. */
  readonly #lacks = new Map<string, number>();
  readonly #shared: Remembered;

  /**
   * @param managedAgain Old objects of interrupted or failed replacements that this update manages again.
   * @param announced Objects of which a preview says that `pulumi up` restores them, for the update of the same command.
   * @param other The same preview or update with another credential for the account. It has the same records, but not
   *   the same answers of the platform, which may depend on the credential.
   */
  constructor(
    managedAgain: SharedObjects = new Set(),
    readonly announced: SharedObjects = new Set(),
    other?: Run,
  ) {
    this.deletions = other?.deletions ?? new WorkInProgress();
    this.restorations = other?.restorations ?? new WorkInProgress();
    this.imports = other?.imports ?? new Set();
    this.#resources = other ? other.#resources : new Map();
    this.#objects = other ? other.#objects : new Map();
    this.#claimants = other ? other.#claimants : new Map();
    this.#bearers = other ? other.#bearers : new Map();
    this.#byRecorded = other ? other.#byRecorded : new Map();
    this.#shared = {
      managedAgain,
      resource: (urn) => this.resource(urn),
      findable: (object, name) => {
        const bearers = entryInRun(this.#bearers, `${object.type} ${name}`, () => new Set<ObjectRecord>());
        // The object that had the name last stands last.
        bearers.delete(object);
        bearers.add(object);
      },
    };
  }

  resource(urn: string): ResourceRecord {
    return entryInRun(this.#resources, urn, () => new ResourceRecord(urn));
  }

  object(type: string, id: string): ObjectRecord {
    return entryInRun(this.#objects, `${type} ${id}`, () => new ObjectRecord(type, id, this.#shared));
  }

  /** Records that this update reads an object of the stack, with what the last update has recorded of it. */
  recordRead({ type }: AnyResource, urn: string, held: Held): void {
    const managed = this.resource(urn);
    managed.recorded = held.inputs;
    managed.objects.set(held.id, held);
    this.object(type, held.id).urn = urn;
    entryInRun(this.#byRecorded, typeAndInputs(type, held.inputs), () => new Set<ResourceRecord>()).add(managed);
  }

  /**
   * Makes one record stand for a resource with two URNs: the former one's, with what Check has recorded under the other.
   * With an alias, the engine reads and deletes an object under the former URN. A dynamic provider knows a resource by its
   * id, or by its name in the program, but never by its URN.
   *
   * @param former The URN under which the last update recorded the resource.
   */
  alias(former: string, urn: string): void {
    const [record, declared] = [this.resource(former), this.resource(urn)];
    this.#resources.set(urn, record);
    record.urn = urn;
    record.inputs ??= declared.inputs;
    record.isNameProposed ||= declared.isNameProposed;
    record.isNameOmitted ||= declared.isNameOmitted;
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
    if (!this.readsFirst || !hasUniqueInputs || Object.keys(olds).length === 0 || this.resource(urn).recorded) return;
    let former: ResourceRecord | undefined;
    for (const record of this.#byRecorded.get(typeAndInputs(type, olds)) ?? []) {
      if (record.inputs !== undefined || !isDeepStrictEqual(record.recorded, olds)) continue;
      if (former) return;
      former = record;
    }
    if (former) this.alias(former.urn, urn);
  }

  /** Recognizes a resource that the program declares with an alias when the engine compares an object that was read. */
  recognizeCompared({ type }: AnyResource, urn: string, id: string): void {
    const object = this.object(type, id);
    const { inputs, recorded } = this.resource(urn);
    if (inputs === undefined || recorded !== undefined || object.urn === undefined) return;
    // An import takes an object from the resource that had it.
    if (!this.imports.has(object) && this.resource(object.urn).inputs === undefined) this.alias(object.urn, urn);
  }

  /**
   * Recognizes a resource that the program declares with an alias when the engine deletes its object under the former URN,
   * under which this update has read nothing.
   */
  recognizeDeleted({ type }: AnyResource, urn: string, id: string): void {
    const object = this.object(type, id);
    const { inputs, recorded } = this.resource(urn);
    if (inputs !== undefined || recorded !== undefined || this.imports.has(object)) return;
    const declared = this.resourceOf(object);
    if (declared?.inputs !== undefined) this.#resources.set(urn, declared);
  }

  /** Returns the resource that has the object in the stack's state, or that manages it if this update has not read it. */
  resourceOf({ type, id, urn }: ObjectRecord): ResourceRecord | undefined {
    const known = urn ?? this.urnOf(type, id);
    return known === undefined ? undefined : this.resource(known);
  }

  /** Returns the URN of the resource that manages this live object. */
  urnOf(type: string, id: string): string | undefined {
    const { managedBy } = this.object(type, id);
    if (managedBy === undefined) return undefined;
    const { urn, manages } = this.resource(managedBy);
    return manages?.type === type && manages.id === id ? urn : undefined;
  }

  /** Returns the objects of this type to which this update gives the name, or that had it when they were imported. */
  named(type: string, name: string): readonly ObjectRecord[] {
    return [...(this.#bearers.get(`${type} ${name}`) ?? [])].filter(
      (object) => object.name === name || object.imported?.name === name,
    );
  }

  readonly names: GivenNames = {
    of: (type, id) => this.object(type, id).name,
    idsOf: (type, name) => this.#given(type, name).map(({ id }) => id),
  };

  readonly planned = (type: string, name: string): string | undefined =>
    this.#given(type, name).findLast(({ planned }) => planned !== undefined)?.planned;

  readonly inStack = (type: string, id: string): boolean => this.object(type, id).urn !== undefined;

  readonly leavesStack = (type: string, id: string): boolean => {
    const { urn } = this.object(type, id);
    return urn !== undefined && this.resource(urn).inputs === undefined;
  };

  readonly replaces = (type: string, id: string): boolean => this.object(type, id).isReplaced;

  readonly restores = (type: string, id: string): boolean => this.object(type, id).restored;

  /**
   * Returns whether an interrupted replacement may already have deleted the object. The engine does not read such an
   * object, even if it reads all other objects before the program runs.
   */
  isPendingReplacement({ type }: AnyResource, id: string): boolean {
    const object = this.object(type, id);
    return object.managedAgain || (this.readsFirst && object.urn === undefined);
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

  /** Returns how often this run has found that the credential lacks a permission for this reason. */
  countLack(reason: string): number {
    const count = (this.#lacks.get(reason) ?? 0) + 1;
    this.#lacks.set(reason, count);
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

  #given(type: string, name: string): readonly ObjectRecord[] {
    return this.named(type, name).filter((object) => object.name === name);
  }
}

/** Returns the record of the container to which an object belongs. */
export function ownerInRun({ inside }: AnyResource, state: Properties, run: Run): ObjectRecord | undefined {
  const id = inside && state[inside.by];
  return inside && typeof id === "string" ? run.object(inside.type, inside.canonicalId?.(id) ?? id) : undefined;
}

/** Records that this update keeps an object, and that its container must not be deleted. */
export function recordKept(resource: AnyResource, id: string, state: Properties, run: Run): void {
  run.object(resource.type, id).kept = true;
  const owner = ownerInRun(resource, state, run);
  if (owner) owner.holds = `${titleOf(resource, state)} (${id})`;
}

/**
 * Returns an object in a container that must not be deleted with it while the container is replaced: this update has
 * kept it, or the stack manages it, and this update has neither deleted nor replaced it.
 */
export function heldInRun(container: ObjectRecord, run: Run): string | undefined {
  if (container.holds !== undefined) return container.holds;
  const [object, title] =
    [...container.contents].find(([each]) => !each.deleted && !run.resourceOf(each)?.created) ?? [];
  return object && `${title} (${object.id})`;
}

/** Records which live object a resource manages. */
export function recordManaged(resource: AnyResource, id: string, state: Properties, urn: string, run: Run): void {
  const { type } = resource;
  run.resource(urn).manages = { type, id, title: titleOf(resource, state) };
  if (resource.softDeleted)
    ownerInRun(resource, state, run)?.contents.set(run.object(type, id), titleOf(resource, state));
  // If several resources manage the object, for example because of an alias, the first one is its manager.
  if (run.urnOf(type, id) === undefined) run.object(type, id).managedBy = urn;
}

/** Records the name of an object, so that a reference by name and a reference by id can be recognized as equal. */
export function recordName(resource: AnyResource, id: string, { name }: Properties, run: Run): void {
  if (resource.named && typeof name === "string") run.object(resource.type, id).name = name;
}

/**
 * Records the name that the object will have after the update. If the update cannot change the name, records the
 * current name, because the name in the program may belong to another object.
 */
export function recordNextNameInRun({ resource, id, state, news, ignored }: Comparison, run: Run): void {
  if (!resource.named) return;
  const restored = state.deletedAt !== undefined;
  const isKept = resource.properties.get("name").onChange === "replace" && !(restored && resource.softDeleted?.renames);
  const given = isIgnoredProperty("name", ignored) || isKept ? state.name : news.name;
  if (restored || given !== state.name) recordName(resource, id, { name: given }, run);
}

/**
 * Returns whether the resource is part of an object that this update has restored, such as the settings of a
 * restored notebook. The program's properties must then be applied again, even if the resource looks unchanged.
 */
export const isAppliedAgain = (resource: AnyResource, state: Properties, run: Run): boolean =>
  resource.inside?.isPart === true && ownerInRun(resource, state, run)?.restored === true;

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
