/** Translates property names between the provider and the platform, based on a table `{ ownName: "wire_name" }`. */
export interface Renaming {
  /**
   * Returns the properties of a record under the provider's names. Properties that are absent or `null` are omitted.
   */
  fromWire(record: object): Record<string, unknown>;
  toWire(properties: object): Record<string, unknown>;
  wireName(name: string): string | undefined;
}

export function renaming(names: Readonly<Record<string, string>>): Renaming {
  const wireNames = new Map(Object.entries(names));
  const ownNames = new Map([...wireNames].map(([own, wire]) => [wire, own]));
  return {
    fromWire: (record) => rename(record, ownNames),
    toWire: (properties) => rename(properties, wireNames),
    wireName: (name) => wireNames.get(name),
  };
}

const rename = (from: object, names: ReadonlyMap<string, string>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) => {
      const other = names.get(name);
      return other === undefined || value === undefined || value === null ? [] : [[other, value]];
    }),
  );
