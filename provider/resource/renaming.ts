/** One table `{ ownName: "wire_name" }`, read in both directions. */
export interface Renaming {
  /** The properties of a record under our own names; what it lacks, or has as `null`, is left out. */
  fromWire(record: object): Record<string, unknown>;
  toWire(properties: object): Record<string, unknown>;
}

export function renaming(names: Readonly<Record<string, string>>): Renaming {
  const wireNames = new Map(Object.entries(names));
  const ownNames = new Map([...wireNames].map(([own, wire]) => [wire, own]));
  return {
    fromWire: (record) => rename(record, ownNames),
    toWire: (properties) => rename(properties, wireNames),
  };
}

const rename = (from: object, names: ReadonlyMap<string, string>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) => {
      const other = names.get(name);
      return other === undefined || value === undefined || value === null ? [] : [[other, value]];
    }),
  );
