const DNS_LABEL_LENGTH = 63;

/**
 * Returns the maximum length of a database or group name in this organization, because `<name>-<organization>` is one
 * DNS label (wire-facts 10).
 */
export const longestName = (organizationSlug: string): number => DNS_LABEL_LENGTH - 1 - organizationSlug.length;

/** Validates a database or group name for any organization (wire-facts 10). Returns the problem, or `undefined`. */
export function nameProblem(name: string): string | undefined {
  if (name.length === 0) return "a name must not be empty";
  if (name.length > DNS_LABEL_LENGTH - 1) return `a name has at most ${DNS_LABEL_LENGTH - 1} characters`;
  if (!/^[a-z0-9-]+$/.test(name)) return "a name can only contain lowercase letters, digits and hyphens";
  if (/^-|-$/.test(name)) return "a name cannot start or end with a hyphen";
  return undefined;
}

/** Validates a database or group name for this organization. Returns the problem, or `undefined`. */
export const nameProblemIn = (name: string, organizationSlug: string): string | undefined =>
  nameProblem(name) ??
  (name.length > longestName(organizationSlug)
    ? `in organization "${organizationSlug}" a name has at most ${longestName(organizationSlug)} characters`
    : undefined);

/** Validates the name of an API token, which is one segment of a path. Returns the problem, or `undefined`. */
export function tokenNameProblem(name: string): string | undefined {
  if (name.length === 0) return "a name must not be empty";
  if (name.length > 255) return "a name has at most 255 characters";
  if (name === "." || name === ".." || /[/\\]|\p{Cc}/u.test(name))
    return "a token's name is part of an address: it cannot be `.` or `..`, nor contain `/`, `\\` or control characters";
  return undefined;
}
