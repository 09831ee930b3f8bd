import { canonicalUuid } from "../../platform/values/uuid";
import type { AnyResource } from "../resources/resource";
import { markOf, type Properties } from "./properties";

/** What this process has done so far: one run of the engine. */
export class Run {
  /** Names that were given, or in a preview would be, by id. */
  readonly names = new Map<string, string>();
  readonly #made = new Set<string>();
  readonly #restored = new Set<string>();
  readonly #deletions = new Set<Promise<unknown>>();

  /** Created or imported by this run: a deletion in the same run can only be an accident. */
  noteMade({ type }: AnyResource, id: string): void {
    this.#made.add(`${type} ${id}`);
  }

  hasMade({ type }: AnyResource, id: string): boolean {
    return this.#made.has(`${type} ${id}`);
  }

  /** Restored, or in a preview would be: what is a part of it has to be applied again. */
  noteRestored(id: string): void {
    this.#restored.add(id);
  }

  /** In whatever spelling the program has written the id. */
  hasRestored(id: unknown): boolean {
    return this.#restored.has(canonicalUuid(String(id)) ?? String(id));
  }

  /** Keeps a deletion in sight until it has ended. */
  async deleting<T>(work: () => Promise<T>): Promise<T> {
    const deletion = work();
    this.#deletions.add(deletion);
    try {
      return await deletion;
    } finally {
      this.#deletions.delete(deletion);
    }
  }

  async deletionsEnded(): Promise<void> {
    await Promise.allSettled(this.#deletions);
  }
}

/** Remembers by which name this run knows the object, so that what names it can be told to mean the same. */
export function noteName(resource: AnyResource, id: string, wanted: Properties, run: Run): void {
  const named = Object.keys(resource.args.shape).find((property) => markOf(resource, property).named);
  const name = named && wanted[named];
  if (typeof name === "string") run.names.set(id, name);
}
