import type { AnyResource } from "../resource/definition";
import { type Compared, isIgnored } from "./compare";
import type { Drift } from "./drift/found";
import { ImportRecord } from "./import-record";
import { NameRecord } from "./name-record";
import { ownerIdOf, type Properties, titleOf } from "./properties";
import { SettingsRecord } from "./settings-record";
import { WorkInProgress } from "./work-in-progress";

interface DeletedOwner {
  readonly type: string;
  readonly id: string;
  readonly message: string;
}

interface Managed {
  readonly type: string;
  readonly id: string;
  readonly title: string;
}

/** The reason why this credential cannot replace an object. */
interface Lack {
  readonly reason: string;
  /** Type and name of the object that the replacement would delete, worded for use within a sentence. */
  readonly replaced: string;
}

/** A set of objects that all providers of a program share. */
export interface SharedObjects {
  add(object: string): unknown;
  has(object: string): boolean;
}

/**
 * Records what one update or preview has done so far: the objects that were declared, read, created, restored and
 * deleted.
 */
export class UpdateSession {
  readonly names = new NameRecord();
  /** Drift that Read calls have found, by URN. */
  readonly drift = new Map<string, Drift>();
  readonly imports = new ImportRecord();
  readonly settings = new SettingsRecord();
  readonly #kept = new Set<string>();
  readonly #owned = new Map<string, string>();
  readonly #declared = new Map<string, Properties>();
  readonly #created = new Set<string>();
  #readsFirst = false;
  readonly #managed = new Map<string, Managed>();
  readonly #matched = new Map<string, Compared>();
  readonly #managedAgain: SharedObjects;
  readonly #inStack = new Map<string, string>();
  readonly #deletedOwners = new Map<string, DeletedOwner>();
  readonly #claims = new Map<string, string>();
  readonly #claimed = new Map<string, string>();
  readonly #planned = new Map<string, string>();
  readonly #lacking = new Map<string, Lack>();
  readonly #asked = new Set<string>();
  readonly #once = new Map<string, Promise<unknown>>();
  readonly #restored = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly deletions = new WorkInProgress();
  readonly restorations = new WorkInProgress();

  /** @param managedAgain Objects that an interrupted replacement has deleted and that this update manages again. */
  constructor(managedAgain: SharedObjects = new Set()) {
    this.#managedAgain = managedAgain;
  }

  noteDeclared(urn: string, inputs: Properties = {}): void {
    this.#declared.set(urn, inputs);
  }

  /**
   * Returns the inputs of the new object if deleting the old object is the first half of a replacement: the program
   * declares the resource, but no new object has been created yet.
   */
  inputsReplacing(urn: string): Properties | undefined {
    return this.hasCreated(urn) ? undefined : this.#declared.get(urn);
  }

  noteCreated(urn: string): void {
    this.#created.add(urn);
  }

  hasCreated(urn: string): boolean {
    return this.#created.has(urn);
  }

  isDeclared(urn: string): boolean {
    return this.#declared.has(urn);
  }

  /** Loads a value at most once per update. If loading fails, the next caller tries again. */
  once<T>(what: string, load: () => Promise<T>): Promise<T> {
    const known = this.#once.get(what) as Promise<T> | undefined;
    if (known) return known;
    const loaded = load();
    this.#once.set(what, loaded);
    loaded.catch(() => this.#once.delete(what));
    return loaded;
  }

  /** Returns whether nothing has asked for this before in this update, for messages that are shown in full only once. */
  isFirst(what: string): boolean {
    const isFirst = !this.#asked.has(what);
    this.#asked.add(what);
    return isFirst;
  }

  noteManaged(urn: string, managed: Managed): void {
    this.#managed.set(urn, managed);
  }

  managedUnder(urn: string): Managed | undefined {
    return this.#managed.get(urn);
  }

  /** Records the comparison of a resource that the program does not replace. `undefined` if the program replaces it. */
  noteMatched(urn: string, compared: Compared | undefined): void {
    if (compared) this.#matched.set(urn, compared);
    else this.#matched.delete(urn);
  }

  /** Returns the last comparison of the resource, unless the program replaces the resource. */
  matchedBy(urn: string): Compared | undefined {
    return this.#matched.get(urn);
  }

  /** Records that the stack's state contains this object, which may be live or deleted. */
  noteInStack(type: string, id: string, urn: string): void {
    this.#inStack.set(`${type} ${id}`, urn);
  }

  isInStack(type: string, id: string): boolean {
    return this.#inStack.has(`${type} ${id}`);
  }

  leavesStack(type: string, id: string): boolean {
    const urn = this.urnInStack(type, id);
    return urn !== undefined && !this.isDeclared(urn);
  }

  /** Returns the URN under which the stack's state contains this object, which may be live or deleted. */
  urnInStack(type: string, id: string): string | undefined {
    return this.#inStack.get(`${type} ${id}`);
  }

  /** Records that the engine reads every resource of the stack before the program runs. */
  noteReadsFirst(): void {
    this.#readsFirst = true;
  }

  get readsFirst(): boolean {
    return this.#readsFirst;
  }

  /**
   * Returns whether an interrupted replacement may already have deleted the object. The engine does not read such an
   * object, even if it reads all other objects before the program runs.
   */
  isPendingReplacement({ type }: AnyResource, id: string): boolean {
    return this.#managedAgain.has(`${type} ${id}`) || (this.#readsFirst && !this.isInStack(type, id));
  }

  /** Records that this update manages again an object that an interrupted replacement has deleted. */
  noteManagedAgain({ type }: AnyResource, id: string): void {
    this.#managedAgain.add(`${type} ${id}`);
  }

  isManagedAgain({ type }: AnyResource, id: string): boolean {
    return this.#managedAgain.has(`${type} ${id}`);
  }

  noteDeletedOwner(urn: string, owner: DeletedOwner): void {
    this.#deletedOwners.set(urn, owner);
  }

  /**
   * Returns the deleted group or database to which a resource belongs. Returns `undefined` if the stack also manages
   * that group or database: the deletion is then reported for the group or database itself.
   */
  foreignDeletedOwnerOf(urn: string): DeletedOwner | undefined {
    const owner = this.#deletedOwners.get(urn);
    return owner && !this.isInStack(owner.type, owner.id) ? owner : undefined;
  }

  /**
   * Returns whether this update seems to give back to an object of the stack the name that it had before somebody
   * renamed it. Until the program has declared the object, this is assumed of every object whose name has drifted.
   */
  isRenamedTo(name: string, type: string, id: string): boolean {
    const urn = this.urnInStack(type, id) ?? this.urnOf(type, id);
    if (urn === undefined) return false;
    const declared = this.#declared.get(urn);
    if (!declared) return Boolean(this.drift.get(urn)?.properties.includes("name"));
    return declared.name === name && !isIgnored("name", this.#matched.get(urn)?.ignored);
  }

  /** Returns the URN of the resource that manages this live object. */
  urnOf(type: string, id: string): string | undefined {
    for (const [urn, managed] of this.#managed) if (managed.id === id && managed.type === type) return urn;
    return undefined;
  }

  /**
   * Claims a value that only one resource of a program may use. Returns the URN of the resource that has already
   * claimed the value, if there is one.
   *
   * @param what The claimed value, for example `Database name orders`.
   */
  claim(urn: string, property: string, what: string): string | undefined {
    const by = `${urn} ${property}`;
    const before = this.#claimed.get(by);
    if (before !== undefined && before !== what) this.#claims.delete(before);
    const holder = this.#claims.get(what);
    if (holder !== undefined && holder !== urn) return holder;
    this.#claims.set(what, urn);
    this.#claimed.set(by, what);
    return undefined;
  }

  /** Records that this preview plans to create an object of this type and name. */
  notePlanned(type: string, name: string, urn: string): void {
    this.#planned.set(`${type} ${name}`, urn);
  }

  /** Returns the URN of the resource for which this preview plans to create an object of this type and name. */
  planned(type: string, name: string): string | undefined {
    return this.#planned.get(`${type} ${name}`);
  }

  /**
   * Records why this credential cannot replace the resource. Diff does not fail for this reason, because it may run in
   * a preview. The preview only warns; the update fails.
   */
  noteLack(urn: string, lack: Lack): void {
    this.#lacking.set(urn, lack);
  }

  lackOf(urn: string): Lack | undefined {
    return this.#lacking.get(urn);
  }

  /**
   * Records that this update created, imported or updated the object, or found it unchanged. Deleting the object in the
   * same update would be a mistake (decision 71).
   */
  noteKept(resource: AnyResource, id: string, state: Properties): void {
    this.#kept.add(`${resource.type} ${id}`);
    const owner = ownerOf(resource, state);
    if (owner !== undefined) this.#owned.set(owner, `${titleOf(resource, state)} (${id})`);
  }

  keeps({ type }: AnyResource, id: string): boolean {
    return this.#kept.has(`${type} ${id}`);
  }

  /**
   * Returns the title and id of an object that this update keeps and that belongs to the given group or database.
   * Deleting the group or database would also delete the object.
   */
  keptIn({ type }: AnyResource, id: string): string | undefined {
    return this.#owned.get(`${type} ${id}`);
  }

  /**
   * Records that this update restores the object. In a preview, records that `pulumi up` would restore it. The inputs
   * of resources that are part of the object, such as its configuration, are then applied again.
   */
  noteRestored({ type }: AnyResource, id: string): void {
    this.#restored.add(`${type} ${id}`);
  }

  /** Records that the platform refused to restore the object, which therefore stays deleted and keeps its old name. */
  noteRestoreRefused({ type }: AnyResource, id: string): void {
    this.#restored.delete(`${type} ${id}`);
    this.names.forget(type, id);
  }

  /** Returns whether this update restores the object. */
  hasRestored(type: string, id: unknown): boolean {
    return this.#restored.has(`${type} ${id}`);
  }

  noteDeleted({ type }: AnyResource, id: string): void {
    this.#deleted.add(`${type} ${id}`);
  }

  hasDeleted({ type }: Pick<AnyResource, "type">, id: string): boolean {
    return this.#deleted.has(`${type} ${id}`);
  }

  hasDeletedOwnerOf(resource: AnyResource, state: Properties): boolean {
    return this.#deleted.has(ownerOf(resource, state) ?? "");
  }
}

function ownerOf(resource: AnyResource, state: Properties): string | undefined {
  const id = ownerIdOf(resource, state);
  return id === undefined ? undefined : `${resource.owned?.type} ${id}`;
}

/** Records the name of an object, so that a reference by name and a reference by id can be recognized as equal. */
export function noteName(resource: AnyResource, id: string, wanted: Properties, session: UpdateSession): void {
  const { name } = wanted;
  if (resource.named && typeof name === "string") session.names.set(resource.type, id, name);
}
