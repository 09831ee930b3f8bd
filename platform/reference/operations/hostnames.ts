import { findLocatedDatabase, type LocatedDatabase, listDatabasesLabelled } from "../store/databases";
import type { Organization } from "../store/organizations";
import type { State } from "../store/schema";

/** Reserved domain for all hostnames, so that no traffic for a database of this API reaches a real host. */
export const DOMAIN = "dbplatform.example";

/** Returns the hostname of a database. It has the form in wire-facts 13.13, but ends in our reserved domain. */
export const hostnameOf = (name: string, { slug }: Pick<Organization, "slug">, location: string): string =>
  location.startsWith("aws-") ? `${name}-${slug}.${location}.${DOMAIN}` : `${name}-${slug}.${DOMAIN}`;

/** Returns the hostname of an instance, which always contains the location. */
export const instanceHostnameOf = (name: string, organization: Pick<Organization, "slug">, location: string): string =>
  location.startsWith("aws-")
    ? hostnameOf(name, organization, location)
    : `${location}.${hostnameOf(name, organization, location)}`;

/** The way in which a request identifies its database: by DbId or by hostname. */
export type DatabaseReference = { readonly id: string } | { readonly host: string };

/** Returns whether a `Host` header names a host in the databases' domain. */
export const isDatabaseHost = (host: string | undefined): host is string =>
  host !== undefined && hostnameWithoutPort(host).endsWith(`.${DOMAIN}`);

const hostnameWithoutPort = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();

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
