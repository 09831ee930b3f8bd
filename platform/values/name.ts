import {
  EMPTY_NAME,
  INVALID_NAME,
  INVALID_TOKEN_NAME,
  longName,
  longNameInOrganization,
  NAME_WITH_OUTER_HYPHEN,
  noRoomForNames,
} from "./messages";

const DNS_LABEL_LENGTH = 63;
const LONGEST_NAME = DNS_LABEL_LENGTH - 1;
const LONGEST_TOKEN_NAME = 255;

/**
 * Returns the maximum length of a database or group name in this organization. `<name>-<organization>` must fit in one
 * DNS label (wire-facts 10). The result is less than 1 if no name fits.
 */
export const nameLengthLimit = (organizationSlug: string): number => LONGEST_NAME - organizationSlug.length;

export function nameProblem(name: string): string | undefined {
  if (name.length === 0) return EMPTY_NAME;
  if (name.length > LONGEST_NAME) return longName({ longest: LONGEST_NAME });
  if (!/^[a-z0-9-]+$/.test(name)) return INVALID_NAME;
  if (/^-|-$/.test(name)) return NAME_WITH_OUTER_HYPHEN;
  return undefined;
}

/**
 * Validates a database or group name in this organization. Returns the problem, or `undefined` if the name is valid.
 */
export function nameProblemIn(name: string, slug: string): string | undefined {
  const problem = nameProblem(name);
  const longest = nameLengthLimit(slug);
  if (problem !== undefined || name.length <= longest) return problem;
  return longest < 1 ? noRoomForNames({ slug }) : longNameInOrganization({ slug, longest });
}

/**
 * Validates the name of an API token, which must fit in one path segment. Returns the problem, or `undefined` if there
 * is none.
 */
export function tokenNameProblem(name: string): string | undefined {
  if (name.length === 0) return EMPTY_NAME;
  if (name.length > LONGEST_TOKEN_NAME) return longName({ longest: LONGEST_TOKEN_NAME });
  if (name === "." || name === ".." || /[/\\]|\p{Cc}/u.test(name)) return INVALID_TOKEN_NAME;
  return undefined;
}
