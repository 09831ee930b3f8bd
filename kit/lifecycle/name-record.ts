import type { GivenNames } from "../resource/context";

/** Records the names that this update gives to objects or, in a preview, that `pulumi up` would give. */
export class NameRecord implements GivenNames {
  readonly #names = new Map<string, string>();
  // Searching all names for each new object would take seconds for 10,000 objects.
  readonly #ids = new Map<string, Set<string>>();

  /** @param id Id of the object, or the URN of the resource for which a preview plans to create the object. */
  set(type: string, id: string, name: string): void {
    this.forget(type, id);
    this.#names.set(`${type} ${id}`, name);
    const ids = this.#ids.get(`${type} ${name}`) ?? new Set();
    this.#ids.set(`${type} ${name}`, ids.add(id));
  }

  forget(type: string, id: string): void {
    const name = this.of(type, id);
    if (name !== undefined) this.#ids.get(`${type} ${name}`)?.delete(id);
    this.#names.delete(`${type} ${id}`);
  }

  of(type: string, id: string): string | undefined {
    return this.#names.get(`${type} ${id}`);
  }

  idsOf(type: string, name: string): readonly string[] {
    return [...(this.#ids.get(`${type} ${name}`) ?? [])];
  }
}
