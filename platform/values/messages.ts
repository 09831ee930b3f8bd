import type { Facts } from "./facts";

export const EMPTY_NAME = "a name must not be empty";
export const INVALID_NAME = "a name must contain only lowercase letters, digits and hyphens";
export const NAME_WITH_OUTER_HYPHEN = "a name must not start or end with a hyphen";
export const longName = ({ longest }: { readonly longest: number }) => `a name must have at most ${longest} characters`;
export const longNameInOrganization = ({ slug, longest }: Facts<"slug"> & { readonly longest: number }) =>
  `a name in organization "${slug}" must have at most ${longest} characters, so that "<name>-${slug}" fits in a hostname`;
export const noRoomForNames = ({ slug }: Facts<"slug">) =>
  `organization "${slug}" cannot have a database or group, because its slug of ${slug.length} characters leaves no room for a name in a hostname`;
export const INVALID_TOKEN_NAME =
  'a token name is part of a URL: it must not be "." or "..", or contain "/", "\\" or control characters';
export const invalidAddress = ({ text }: Facts<"text">) =>
  `"${text}" is not a valid IP address or CIDR block (examples: "203.0.113.7", "10.0.0.0/8", "2001:db8::/32")`;
export const invalidVpcEndpoint = ({ text }: Facts<"text">) =>
  `"${text}" is not a valid AWS VPC endpoint ID: it must be "vpce-" followed by lowercase letters and digits`;
export const invalidLocationCode = ({ text }: Facts<"text">) =>
  `"${text}" is not a valid location code: use lowercase letters, digits and hyphens, as in "aws-us-east-1" or "ams"`;
export const invalidScope = ({
  text,
  scopes,
  presets,
}: Facts<"text"> & { readonly scopes: readonly string[]; readonly presets: readonly string[] }) =>
  `"${text}" is not a valid scope (${scopes.join(", ")}) or preset (${presets.join(", ")})`;
export const invalidSize = ({
  text,
  largestSize,
  units,
}: Facts<"text"> & { readonly largestSize: bigint; readonly units: readonly string[] }) =>
  `"${text}" is not a valid size. Write a whole number of bytes, plain ("1048576") or with a unit ("256mb"), at most ${largestSize}. Units, in upper or lower case: ${units.join(", ")}. An empty string means no limit`;

// Requests

/** The public service's message for an invalid role (wire-facts 1.5). Do not reword it. */
export const INVALID_ROLE = "invalid role";

export const notWholeNumber = ({ largest, text }: Facts<"text"> & { readonly largest: number }) =>
  `must be a whole number from 1 to ${largest}, but is "${text}"`;

// Encryption. These messages do not repeat the value, because it may be a key.
export const KEY_NOT_TEXT = "must be text";
export const ENCRYPTION_NOT_OBJECT = "must be a JSON object with `encryption_key` and `encryption_cipher`";
export const unknownCipher = ({ ciphers }: { readonly ciphers: readonly string[] }) =>
  `must be one of ${ciphers.join(", ")}`;
export const WRONG_KEY_LENGTH = "must be base64 of as many bytes as the cipher requires";
