import { sql } from "kysely";
import { type Database, selectDatabasesWithGroups } from "../operations/database";
import { DOMAIN, hostnameOf, hostnameWithoutPort, instanceHostnameOf } from "../operations/hostnames";
import type { State } from "../store/schema";

/** A database with the slug of its organization, which is part of the database's hostname. */
export interface LocatedDatabase extends Database {
  readonly organization_slug: string;
}

const selectLocatedDatabases = (state: State) =>
  selectDatabasesWithGroups(state)
    .innerJoin("organizations", "organizations.id", "databases.organization_id")
    .select("organizations.slug as organization_slug");

/** Finds a live or deleted database in any organization, together with the organization's slug. */
export const findLocatedDatabase = (state: State, id: string): Promise<LocatedDatabase | undefined> =>
  selectLocatedDatabases(state).where("databases.id", "=", id.toLowerCase()).executeTakeFirst();

/** Lists the live databases with the hostname label `<database>-<organization>`. */
const listDatabasesLabelled = (state: State, label: string): Promise<LocatedDatabase[]> =>
  selectLocatedDatabases(state)
    .where("databases.deleted_at", "is", null)
    .where(sql<string>`databases.name || '-' || organizations.slug`, "=", label)
    .execute();

/** The way in which a request identifies its database: by DbId or by hostname. */
export type DatabaseReference = { readonly id: string } | { readonly host: string };

/** Returns the hostnames of a database and of its instances. */
function databaseHostnames({
  name,
  organization_slug,
  location,
  other_locations,
  added_locations,
}: LocatedDatabase): string[] {
  const organization = { slug: organization_slug };
  const locations = [location, ...JSON.parse(other_locations), ...JSON.parse(added_locations)] as string[];
  return [
    hostnameOf(name, organization, location),
    ...locations.map((each) => instanceHostnameOf(name, organization, each)),
  ];
}

export async function findDatabaseByIdOrHostname(
  state: State,
  named: DatabaseReference,
): Promise<LocatedDatabase | undefined> {
  if ("id" in named) return findLocatedDatabase(state, named.id);
  const host = hostnameWithoutPort(named.host);
  const labels = host.slice(0, -DOMAIN.length - 1).split(".");
  for (const label of labels)
    for (const found of await listDatabasesLabelled(state, label))
      if (databaseHostnames(found).includes(host)) return found;
  return undefined;
}
