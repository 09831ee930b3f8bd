import type { Platform } from "./platform";

/** Says so when the platform has no such location. */
export async function locationMissing(codes: readonly string[], { client }: Platform): Promise<string | undefined> {
  if (codes.length === 0) return undefined;
  const { locations } = await client.listLocations({});
  const unknown = codes.find((code) => !Object.hasOwn(locations, code));
  return unknown === undefined
    ? undefined
    : `there is no location "${unknown}". There are: ${Object.keys(locations).join(", ")}`;
}
