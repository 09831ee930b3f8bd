import type { Properties } from "./properties";

interface Manager {
  /** The object that the resource manages after this update. `undefined` if it is not known yet. */
  readonly object: string | undefined;
  /** Names of the settings that the program sets. */
  readonly names: ReadonlySet<string>;
  /** Whether this update creates the resource, or replaces it. */
  readonly isNew: boolean;
}

/** Settings that a resource had set on an object, and that no resource of the program names any more. */
export interface LeftSettings {
  /** URN of the resource that had set them. */
  readonly from: string;
  /** URN of a resource that manages the object after this update. */
  readonly to: string;
  /** Whether the program moves `from` to another object. Otherwise, it may yet declare `from` for this object. */
  readonly isMoved: boolean;
  readonly settings: Properties;
}

/**
 * Records which resources had set the settings of an object, and which resources manage the object after this update.
 * Objects are identified by their type and id.
 */
export class SettingsRecord {
  readonly #setBy = new Map<string, Map<string, Properties>>();
  readonly #managers = new Map<string, Manager>();
  readonly #listed = new Set<string>();
  readonly #aliases = new Map<string, string>();

  /** Records that both URNs belong to the same resource. */
  noteAlias(former: string, urn: string): void {
    this.#aliases.set(former, urn);
  }

  noteSet(object: string, urn: string, settings: Properties): void {
    this.#setBy.set(object, (this.#setBy.get(object) ?? new Map<string, Properties>()).set(urn, settings));
  }

  noteManager(urn: string, manager: Manager): void {
    this.#managers.set(this.#resolve(urn), manager);
  }

  /**
   * Returns whether a resource of the program manages the object after this update.
   *
   * @param leaving URN of the resource that the engine deletes. It counts only if a replacement under the same URN
   *   manages the object.
   */
  isManaged(object: string, leaving: string): boolean {
    return this.#managersOf(object).some(([urn, { isNew }]) => urn !== this.#resolve(leaving) || isNew);
  }

  leftOn(object: string): LeftSettings[] {
    const managers = this.#managersOf(object);
    const [to] = managers.find(([, { isNew }]) => isNew) ?? managers[0] ?? [];
    if (to === undefined) return [];
    const named = new Set(managers.flatMap(([, { names }]) => [...names]));
    return [...(this.#setBy.get(object) ?? [])]
      .map(([urn, settings]) => [this.#resolve(urn), settings] as const)
      .filter(([urn]) => !managers.some(([manager, { isNew }]) => manager === urn && !isNew))
      .map(([from, settings]) => ({
        from,
        to,
        isMoved: this.#managers.has(from),
        settings: Object.fromEntries(Object.entries(settings).filter(([name]) => !named.has(name))),
      }))
      .filter(({ settings }) => Object.keys(settings).length > 0);
  }

  /** Returns whether the setting was not listed before, and records that it is listed now. */
  listOnce(object: string, setting: string): boolean {
    const key = `${object} ${setting}`;
    if (this.#listed.has(key)) return false;
    this.#listed.add(key);
    return true;
  }

  #resolve(urn: string): string {
    return this.#aliases.get(urn) ?? urn;
  }

  #managersOf(object: string): [string, Manager][] {
    return [...this.#managers].filter(([, manager]) => manager.object === object);
  }
}
