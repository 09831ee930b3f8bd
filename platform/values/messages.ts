import { message } from "./message";

export const EMPTY_NAME = "a name must not be empty";

export const longName = message((most: number) => `a name must have at most ${most} characters`, [62]);

/** Reports that a name is too long for this organization, because the organization's slug is part of the hostname. */
export const longNameInOrganization = message(
  (slug: string, most: number) =>
    `a name in organization "${slug}" must have at most ${most} characters, so that "<name>-${slug}" fits in a hostname`,
  ["acme", 58],
);

/** Reports that an organization's slug is so long that it leaves no room for a name in a hostname. */
export const noRoomForNames = message(
  (slug: string) =>
    `organization "${slug}" cannot have a database or group, because its slug of ${slug.length} characters leaves no room for a name in a hostname`,
  ["a".repeat(62)],
);

export const INVALID_NAME = "a name must contain only lowercase letters, digits and hyphens";

export const NAME_WITH_OUTER_HYPHEN = "a name must not start or end with a hyphen";

export const INVALID_TOKEN_NAME =
  'a token name is part of a URL: it must not be "." or "..", or contain "/", "\\" or control characters';

export const invalidAddress = message(
  (text: string) =>
    `"${text}" is not a valid IP address or CIDR block (examples: "203.0.113.7", "10.0.0.0/8", "2001:db8::/32")`,
  ["203.0.113"],
);

export const invalidVpcEndpoint = message(
  (text: string) =>
    `"${text}" is not a valid AWS VPC endpoint ID: it must be "vpce-" followed by lowercase letters and digits`,
  ["vpc-1"],
);

export const invalidLocationCode = message(
  (code: string) =>
    `"${code}" is not a valid location code: use lowercase letters, digits and hyphens, as in "aws-us-east-1" or "ams"`,
  ["AWS US"],
);

export const invalidScope = message(
  (text: string, scopes: readonly string[], presets: readonly string[]) =>
    `"${text}" is not a valid scope (${scopes.join(", ")}) or preset (${presets.join(", ")})`,
  ["write", ["read", "db:create"], ["read-only", "full-access"]],
);

export const invalidSize = message(
  (text: string, largestBytes: bigint, units: readonly string[]) =>
    `"${text}" is not a valid size. Write a whole number of bytes, plain ("1048576") or with a unit ("256mb"), at most ${largestBytes}. Units, in upper or lower case: ${units.join(", ")}. An empty string means no limit`,
  ["big", 2n ** 63n - 1n, ["b", "k", "kb", "ki", "kib"]],
);
