import { canonicalUuid } from "../../../platform/values/uuid";

interface Seeded {
  readonly id: string;
  readonly now: { readonly name: string };
  readonly news: Readonly<Record<string, unknown>>;
}

/** Returns whether the new database of a replacement is a copy of the old one. `undefined` if it has no seed. */
export function findSeedOrigin({ id, now, news: { seed } }: Seeded): "itself" | "elsewhere" | undefined {
  if (seed === undefined) return undefined;
  const { database: source } = knownTexts(seed);
  const isOld = source !== undefined && (canonicalUuid(source) === id || source === now.name);
  return isOld ? "itself" : "elsewhere";
}

/** Returns the texts of a seed that are known already. */
export const knownTexts = (seed: unknown): { readonly database?: string; readonly timestamp?: string } =>
  Object.fromEntries(Object.entries(seed ?? {}).filter(([, value]) => typeof value === "string"));
