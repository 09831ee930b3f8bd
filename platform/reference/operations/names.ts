import { nameLengthLimit, nameProblem } from "../../values/name";
import { refuse } from "../messages";
import type { Organization } from "../store/organizations";

/** Validates a name (wire-facts 10). The error for a wrong length has the public service's message. */
export function checkName(kind: "database" | "group", name: string, { slug }: Pick<Organization, "slug">): void {
  const longest = nameLengthLimit(slug);
  if (name.length < 1 || name.length > longest) throw refuse.invalidNameLength({ kind, longest });
  const reason = nameProblem(name);
  if (reason) throw refuse.invalidName({ kind, reason });
}

/** The group of a new or transferred database if the request names no group (wire-facts 13.4). */
export const DEFAULT_GROUP = "default";

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
