import { canonicalUuid } from "../../platform/values/uuid";
import type { AnyResource } from "../resources/resource";
import { markOf, type Properties, titleOf } from "./properties";

/** What this process has done so far: one run of the engine. */
export class Run {
  /** Names that were given, or in a preview would be, by id. */
  readonly names = new Map<string, string>();
  readonly #kept = new Set<string>();
  /** Titles of what was kept, by its owner. */
  readonly #owned = new Map<string, string>();
  readonly #declared = new Set<string>();
  readonly #restored = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #deletions = new Set<Promise<unknown>>();
  #deletionsBegun = 0;
  readonly #restorations = new Set<Promise<unknown>>();
  #restorationsEnded = 0;

  /** The program declares a resource under this URN. */
  noteDeclared(urn: string): void {
    this.#declared.add(urn);
  }

  isDeclared(urn: string): boolean {
    return this.#declared.has(urn);
  }

  /** Created, imported, updated or found as wanted by this run: a deletion in the same run can only be an accident. */
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

  /** Keeps a restoration in sight until it has ended. */
  async restoring<T>(work: () => Promise<T>): Promise<T> {
    const restoration = work();
    this.#restorations.add(restoration);
    try {
      return await restoration;
    } finally {
      this.#restorations.delete(restoration);
      this.#restorationsEnded++;
    }
  }

  /** Why something fails; asked once more if a restoration of this run may have removed the cause. */
  async unlessRestored<T>(why: () => Promise<T | undefined>): Promise<T | undefined> {
    const ended = this.#restorationsEnded;
    const found = await why();
    if (found === undefined) return undefined;
    await Promise.allSettled(this.#restorations);
    return ended === this.#restorationsEnded ? found : why();
  }

  noteDeleted({ type }: AnyResource, id: string): void {
    this.#deleted.add(`${type} ${id}`);
  }

  hasDeletedOwnerOf(resource: AnyResource, state: Properties): boolean {
    return this.#deleted.has(ownerOf(resource, state) ?? "");
  }

  /** Keeps a deletion in sight until it has ended. */
  async deleting<T>(work: () => Promise<T>): Promise<T> {
    this.#deletionsBegun++;
    const deletion = work();
    this.#deletions.add(deletion);
    try {
      return await deletion;
    } finally {
      this.#deletions.delete(deletion);
    }
  }

  /** What is found once no deletion runs, or began while it was looked for. */
  async betweenDeletions<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    for (;;) {
      await Promise.allSettled(this.#deletions);
      const begun = this.#deletionsBegun;
      const found = await look();
      if (found === undefined || begun === this.#deletionsBegun) return found;
    }
  }
}

function ownerOf({ owner }: AnyResource, state: Properties): string | undefined {
  const id = owner && state[owner.id];
  return typeof id === "string" ? `${owner?.type} ${canonicalUuid(id) ?? id}` : undefined;
}

/** Remembers by which name this run knows the object, so that what names it can be told to mean the same. */
export function noteName(resource: AnyResource, id: string, wanted: Properties, run: Run): void {
  const named = Object.keys(resource.args.shape).find((property) => markOf(resource, property).named);
  const name = named && wanted[named];
  if (typeof name === "string") run.names.set(id, name);
}
