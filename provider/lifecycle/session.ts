import { canonicalUuid } from "../../platform/values/uuid";
import type { AnyResource } from "../resource/definition";
import { type Properties, titleOf } from "./properties";
import { WorkInProgress } from "./work-in-progress";

interface DeletedOwner {
  readonly type: string;
  readonly id: string;
  readonly message: string;
}

interface Managed {
  readonly type: string;
  readonly id: string;
  /** Title for sentences: `database "orders"`. */
  readonly title: string;
}

/** What this process has learned and done so far in one run of the engine. */
export class UpdateSession {
  /** Names that were given, or in a preview would be, by id. */
  readonly names = new Map<string, string>();
  readonly #kept = new Set<string>();
  /** Titles of what was kept, by its owner. */
  readonly #owned = new Map<string, string>();
  readonly #declared = new Map<string, Properties>();
  readonly #created = new Set<string>();
  readonly #newImports = new Map<string, Map<string, string | undefined>>();
  readonly #earlierImports = new Map<string, Map<string, string | undefined>>();
  #readsFirst = false;
  readonly #managed = new Map<string, Managed>();
  readonly #inStack = new Set<string>();
  readonly #deletedOwners = new Map<string, DeletedOwner>();
  readonly #imported = new Map<string, string>();
  readonly #claims = new Map<string, string>();
  readonly #claimed = new Map<string, string>();
  readonly #planned = new Map<string, string>();
  readonly #lacking = new Map<string, string>();
  readonly #once = new Map<string, Promise<unknown>>();
  readonly #restored = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly deletions = new WorkInProgress();
  readonly restorations = new WorkInProgress();

  /** The program declares a resource under this URN, with these inputs. */
  noteDeclared(urn: string, inputs: Properties = {}): void {
    this.#declared.set(urn, inputs);
  }

  /** The inputs of a resource that is to be deleted although the program declares it: a replacement deletes it first. */
  inputsReplacing(urn: string): Properties | undefined {
    return this.#created.has(urn) ? undefined : this.#declared.get(urn);
  }

  noteCreated(urn: string): void {
    this.#created.add(urn);
  }

  isDeclared(urn: string): boolean {
    return this.#declared.has(urn);
  }

  /** Loads something once in this run; a failure is not remembered. */
  once<T>(what: string, load: () => Promise<T>): Promise<T> {
    const known = this.#once.get(what) as Promise<T> | undefined;
    if (known) return known;
    const loaded = load();
    this.#once.set(what, loaded);
    loaded.catch(() => this.#once.delete(what));
    return loaded;
  }

  /** The stack manages a live object under this URN. */
  noteManaged(urn: string, managed: Managed): void {
    this.#managed.set(urn, managed);
  }

  managedUnder(urn: string): Managed | undefined {
    return this.#managed.get(urn);
  }

  /** The state of the stack holds this object, live or deleted. */
  noteInStack(type: string, id: string): void {
    this.#inStack.add(`${type} ${id}`);
  }

  isInStack(type: string, id: string): boolean {
    return this.#inStack.has(`${type} ${id}`);
  }

  /** The engine reads every resource of the stack before the program runs. */
  noteReadsFirst(): void {
    this.#readsFirst = true;
  }

  /** The engine reads no resource whose replacement was interrupted after the old object was deleted. */
  isPendingReplacement({ type }: AnyResource, id: string): boolean {
    return this.#readsFirst && !this.isInStack(type, id);
  }

  /** A resource that the stack did not have under this URN is imported in this run. `name`: once it is known. */
  noteNewImport({ type }: AnyResource, id: string, name?: string): void {
    const imports = this.#newImports.get(type) ?? new Map<string, string | undefined>();
    this.#newImports.set(type, imports.set(id, name));
  }

  /** Names of the objects that this run imports, by id. */
  newImportsOf({ type }: Pick<AnyResource, "type">): ReadonlyMap<string, string | undefined> {
    return this.#newImports.get(type) ?? new Map();
  }

  /** An earlier run has imported the object. */
  noteEarlierImport({ type }: AnyResource, id: string, name: string | undefined): void {
    const imports = this.#earlierImports.get(type) ?? new Map<string, string | undefined>();
    this.#earlierImports.set(type, imports.set(id, name));
  }

  /** The same, with those that earlier runs have imported. */
  importsOf(resource: Pick<AnyResource, "type">): ReadonlyMap<string, string | undefined> {
    return new Map([...(this.#earlierImports.get(resource.type) ?? []), ...this.newImportsOf(resource)]);
  }

  /** Records that the owner of a resource is deleted. */
  noteDeletedOwner(urn: string, owner: DeletedOwner): void {
    this.#deletedOwners.set(urn, owner);
  }

  /** The same, unless the stack manages that one too and so reports it. */
  foreignDeletedOwnerOf(urn: string): DeletedOwner | undefined {
    const owner = this.#deletedOwners.get(urn);
    return owner && !this.#inStack.has(`${owner.type} ${owner.id}`) ? owner : undefined;
  }

  /** URN under which the stack manages the live object of that type and id. */
  urnOf(type: string, id: string): string | undefined {
    for (const [urn, managed] of this.#managed) if (managed.id === id && managed.type === type) return urn;
    return undefined;
  }

  /** Records that the resource manages an imported object, or one that this run restored. */
  noteImported(urn: string, id: string): void {
    this.#imported.set(urn, id);
  }

  /** The id that an import, or a restoration in this run, has put in the place of this one. */
  importedInsteadOf(urn: string, id: string): string | undefined {
    const imported = this.#imported.get(urn);
    return imported === id ? undefined : imported;
  }

  /**
   * A resource claims a value that no two resources of a program can have. Returns the URN of the resource that has
   * claimed it already.
   *
   * @param what For example `Database name orders`.
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

  /** This preview creates an object of that type and name. */
  notePlanned(type: string, name: string, urn: string): void {
    this.#planned.set(`${type} ${name}`, urn);
  }

  /** URN of the resource that this preview creates under a name. */
  planned(type: string, name: string): string | undefined {
    return this.#planned.get(`${type} ${name}`);
  }

  /** A replacement, which Diff has allowed since it may belong to a preview, is refused once something is to be done. */
  noteLack(urn: string, reason: string): void {
    this.#lacking.set(urn, reason);
  }

  lackOf(urn: string): string | undefined {
    return this.#lacking.get(urn);
  }

  /**
   * Created, imported, updated or found as wanted by this run: a deletion in the same run can only be an accident
   * (decision 71).
   */
  noteKept(resource: AnyResource, id: string, state: Properties): void {
    this.#kept.add(`${resource.type} ${id}`);
    const owner = ownerOf(resource, state);
    if (owner !== undefined) this.#owned.set(owner, `${titleOf(resource, state)} (${id})`);
  }

  keeps({ type }: AnyResource, id: string): boolean {
    return this.#kept.has(`${type} ${id}`);
  }

  /** Title of something that this run has kept, and that would be deleted together with its owner. */
  keptIn({ type }: AnyResource, id: string): string | undefined {
    return this.#owned.get(`${type} ${id}`);
  }

  /** Restored, or in a preview would be: what is a part of it has to be applied again. */
  noteRestored(id: string): void {
    this.#restored.add(id);
  }

  /** In whatever spelling the program has written the id. */
  hasRestored(id: unknown): boolean {
    return this.#restored.has(canonicalUuid(String(id)) ?? String(id));
  }

  noteDeleted({ type }: AnyResource, id: string): void {
    this.#deleted.add(`${type} ${id}`);
  }

  hasDeleted({ type }: AnyResource, id: string): boolean {
    return this.#deleted.has(`${type} ${id}`);
  }

  hasDeletedOwnerOf(resource: AnyResource, state: Properties): boolean {
    return this.#deleted.has(ownerOf(resource, state) ?? "");
  }
}

function ownerOf({ owned }: AnyResource, state: Properties): string | undefined {
  const id = owned && state[owned.id];
  return typeof id === "string" ? `${owned?.type} ${canonicalUuid(id) ?? id}` : undefined;
}

/** Remembers by which name this run knows the object, so that what names it can be told to mean the same. */
export function noteName(resource: AnyResource, id: string, wanted: Properties, session: UpdateSession): void {
  const { name } = wanted;
  if (resource.named && typeof name === "string") session.names.set(id, name);
}
