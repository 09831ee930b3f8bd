import type { AnyResource } from "../resource/definition";

type Typed = Pick<AnyResource, "type">;

/** Names of objects, by resource type and id. */
type Names = Map<string, Map<string, string | undefined>>;

/** Records the objects that were imported by this update or by an earlier update. */
export class ImportRecord {
  readonly #new: Names = new Map();
  readonly #earlier: Names = new Map();
  readonly #managed = new Map<string, string>();

  /**
   * Records that this update imports a resource whose URN was not in the stack. Call this method again once the name is
   * known.
   */
  noteNew({ type }: Typed, id: string, name?: string): void {
    note(this.#new, type, id, name);
  }

  noteEarlier({ type }: Typed, id: string, name: string | undefined): void {
    note(this.#earlier, type, id, name);
  }

  newOf({ type }: Typed): ReadonlyMap<string, string | undefined> {
    return this.#new.get(type) ?? new Map();
  }

  /** Returns the names of all imported objects of a type, by id. */
  allOf(resource: Typed): ReadonlyMap<string, string | undefined> {
    return new Map([...(this.#earlier.get(resource.type) ?? []), ...this.newOf(resource)]);
  }

  /** Records that the resource manages this object, which was imported or was restored by this update. */
  noteManaged(urn: string, id: string): void {
    this.#managed.set(urn, id);
  }

  /** Returns the id of an imported or restored object that this resource now manages instead of the given object. */
  managedInsteadOf(urn: string, id: string): string | undefined {
    const managed = this.#managed.get(urn);
    return managed === id ? undefined : managed;
  }
}

function note(names: Names, type: string, id: string, name: string | undefined): void {
  names.set(type, (names.get(type) ?? new Map<string, string | undefined>()).set(id, name));
}
