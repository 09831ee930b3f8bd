import { longestName, nameProblem } from "../../values/name";
import { refuse } from "../messages";
import type { Organization } from "../store/organizations";

/** Checks a name by wire-facts 10, with the public service's message for a wrong length. */
export function checkName(kind: "database" | "group", name: string, { slug }: Pick<Organization, "slug">): void {
  const longest = longestName(slug);
  if (name.length < 1 || name.length > longest) throw refuse.invalidNameLength(kind, longest);
  const problem = nameProblem(name);
  if (problem) throw refuse.invalidName(kind, problem);
}

/** A reserved domain, so that no traffic meant for a database of this API reaches a stranger's host. */
export const DOMAIN = "dbplatform.example";

/** Wire-facts 13.13, under a domain of our own. */
export const hostnameOf = (name: string, { slug }: Pick<Organization, "slug">, location: string): string =>
  location.startsWith("aws-") ? `${name}-${slug}.${location}.${DOMAIN}` : `${name}-${slug}.${DOMAIN}`;

/** Returns the hostname of one instance, as if its location were the primary one. */
export const instanceHostnameOf = (name: string, organization: Pick<Organization, "slug">, location: string): string =>
  location.startsWith("aws-")
    ? hostnameOf(name, organization, location)
    : `${location}.${hostnameOf(name, organization, location)}`;
