import type { EngineFixture } from "../engine/engine-fixture";

/** Leaves a database as an update does that is killed before it copies the database: writes blocked, and rehearsed. */
export async function interruptCopy(
  { outside, api: { organization: organizationSlug } }: Pick<EngineFixture, "outside" | "api">,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  const body = { name: `copy-of-${id.slice(-12)}`, group: "default", seed: { type: "database", name } } as const;
  await outside.createDatabase({ organizationSlug, body });
  await outside.updateDatabaseConfiguration({ organizationSlug, databaseName: name, body: { block_writes: true } });
}
