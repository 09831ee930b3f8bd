import type { Organization } from "../credentials/membership";

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

/** Returns whether a `Host` header names a host in the databases' domain. */
export const isDatabaseHost = (host: string | undefined): host is string =>
  host !== undefined && hostnameWithoutPort(host).endsWith(`.${DOMAIN}`);

export const hostnameWithoutPort = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();
