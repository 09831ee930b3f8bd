import { sql } from "kysely";
import { type Database, databasesWithGroups } from "./databases";
import { type Places, prepared } from "./query-cache";
import type { DatabaseRow, State } from "./schema";

/** A database with the slug of its organization, which is part of the database's hostname. */
export interface LocatedDatabase extends Database {
  readonly organization_slug: string;
}

/** Finds the record of a live or deleted database in any organization. */
export async function findAnyDatabase(state: State, id: string): Promise<DatabaseRow | undefined> {
  const [found] = await anyWithId(state, { id: id.toLowerCase() });
  return found;
}

const anyWithId = prepared((state, { id }: Places<{ id: string }>) =>
  state.selectFrom("databases").selectAll().where("id", "=", id),
);

const located = (state: State) =>
  databasesWithGroups(state)
    .innerJoin("organizations", "organizations.id", "databases.organization_id")
    .select("organizations.slug as organization_slug");

/** Finds a live or deleted database in any organization, together with the organization's slug. */
export async function locateDatabase(state: State, id: string): Promise<LocatedDatabase | undefined> {
  const [found] = await locatedWithId(state, { id: id.toLowerCase() });
  return found;
}

const locatedWithId = prepared((state, { id }: Places<{ id: string }>) =>
  located(state).where("databases.id", "=", id),
);

/** Lists the live databases with the hostname label `<database>-<organization>`. */
export const listDatabasesLabelled = (state: State, label: string): Promise<readonly LocatedDatabase[]> =>
  locatedWithLabel(state, { label });

const locatedWithLabel = prepared((state, { label }: Places<{ label: string }>) =>
  located(state)
    .where("databases.deleted_at", "is", null)
    .where(sql<string>`databases.name || '-' || organizations.slug`, "=", label),
);
