import { PLAN_REFUSAL } from "../contract/error";
import { message } from "../values/message";
import { PUBLIC } from "./public-messages";
import { ApiError, refusal } from "./refusal";

/**
 * Our own messages, for errors that neither the specification nor the public service's documentation describes. They
 * follow the style of the public service's messages.
 */
const OWN = {
  unrestrictedTokenForbidden: refusal(403, () => "organization-scoped token cannot create an unrestricted token", []),
  otherOrganizationsForbidden: refusal(403, () => "organization-scoped token cannot act outside its organization", []),
  missingScope: refusal(403, (scope: string) => `token is missing the scope ${scope}`, ["db:create"]),
  paidPlanRequired: message(
    () => new ApiError(403, "this feature is not available on the starter plan", PLAN_REFUSAL),
    [],
  ),

  invalid: refusal(400, (problem: string) => problem, ["size_limit must be text, but is 1"]),
  invalidInstant: refusal(
    400,
    (text: string) => `"${text}" is not a valid date and time; use the form 2026-03-01T12:00:00 (UTC)`,
    ["tomorrow"],
  ),
  clockOutOfRange: refusal(400, () => "the clock can only be set to the years 1 to 9999 (UTC)", []),
  seedMissing: refusal(400, () => "cannot reset: this data was created by a version that stored no seed", []),
  noSuchPath: refusal(404, () => "there is no such path in a database", []),
  bodyNotJson: refusal(
    400,
    ({ line, column }: { line: number; column: number }) =>
      `the request body is not valid JSON: line ${line}, column ${column}`,
    [{ line: 3, column: 14 }],
  ),
  bodyNotUtf8: refusal(400, () => "the request body is not valid UTF-8", []),
  bodyNotMultipart: refusal(400, () => "the request body must be multipart/form-data", []),
  bodyTooDeep: refusal(400, (depth: number) => `the request body is nested more than ${depth} levels deep`, [32]),
  bodyTooLarge: refusal(413, (bytes: number) => `the request body is larger than ${bytes} bytes`, [1_048_576]),
  notStorable: refusal(400, () => "text must be valid Unicode without the character U+0000", []),
  misplacedToken: refusal(400, () => "a token may only be sent in the Authorization header", []),

  locationNotFound: refusal(404, (code: string) => `could not find location [${code}]`, ["amss"]),
  primaryLocation: refusal(400, (code: string) => `the primary location ${code} cannot be removed`, ["aws-us-east-1"]),

  organizationExists: refusal(409, (name: string) => `organization with name [${name}] already exists`, ["acme"]),
  invalidOrganizationName: refusal(400, (problem: string) => `invalid organization name: ${problem}`, [
    "a name cannot start or end with a hyphen",
  ]),
  personalOrganization: refusal(
    400,
    (doing: "be deleted" | "have other members") => `a personal organization cannot ${doing}`,
    ["be deleted"],
    ["have other members"],
  ),
  organizationInUse: refusal(400, (slug: string) => `organization [${slug}] cannot be deleted while it has databases`, [
    "acme",
  ]),
  lastOrganization: refusal(400, () => "the only organization of this server cannot be deleted", []),
  ownerRequired: refusal(403, () => "only an owner can change or remove an owner", []),
  lastOwner: refusal(400, () => "an organization must keep at least one owner", []),

  groupInOrganization: refusal(400, (slug: string) => `the group already belongs to organization ${slug}`, ["acme"]),
  groupArchived: refusal(400, (name: string) => `group ${name} is archived; unarchive it first`, ["default"]),
  groupLocationNotFound: refusal(404, (group: string, code: string) => `group ${group} has no location ${code}`, [
    "default",
    "aws-eu-west-1",
  ]),
  groupMissing: refusal(400, (slug: string, group: string) => `organization ${slug} has no group ${group}`, [
    "acme",
    "default",
  ]),
  databaseIdNotFound: refusal(404, (id: string) => `could not find database with id [${id}]: record not found`, [
    "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b",
  ]),
  databaseInOrganization: refusal(400, (slug: string) => `the database already belongs to organization ${slug}`, [
    "acme",
  ]),
  instanceOfGroup: refusal(
    400,
    (instance: string, group: string) =>
      `instance ${instance} belongs to group ${group}; to remove it from every database of the group, remove the location from the group`,
    ["aws-us-east-1", "default"],
  ),

  engineOfParent: refusal(400, (name: string) => `a copy of database ${name} keeps its engine and cannot use tursodb`, [
    "orders",
  ]),
  encryptionOfParent: refusal(
    400,
    (name: string, cipher: string | null) =>
      cipher === null
        ? `a copy of database ${name} cannot be encrypted, because the database is not encrypted`
        : `a copy of database ${name} needs its encryption key and its cipher, ${cipher}`,
    ["orders", "aegis256"],
    ["orders", null],
  ),
  timestampInFuture: refusal(400, () => "the timestamp of the seed is in the future", []),
  timestampBeforeParent: refusal(
    400,
    (name: string) => `the timestamp of the seed is earlier than the creation of database ${name}`,
    ["orders"],
  ),
  timestampTooOld: refusal(
    400,
    (days: number) =>
      `the timestamp of the seed is older than the ${days === 1 ? "24 hours" : `${days} days`} that the plan keeps`,
    [1],
    [10],
  ),
  momentNotKept: refusal(
    400,
    (name: string, since: string) => `the rows of database ${name} are only kept since ${since}; copy a later state`,
    ["orders", "2026-03-01T12:00:00.000Z"],
  ),
  dumpInvalid: refusal(400, (line: number, reason: string) => `the dump is invalid at line ${line}: ${reason}`, [
    3,
    'SQL string could not be parsed: near "creat": syntax error',
  ]),
  dumpNotFound: refusal(400, (url: string) => `no dump was uploaded to ${url}`, ["https://db.example/dumps/7"]),

  sqlTokenUnknown: refusal(401, () => "the token is not signed by the key of any database or group", []),
  sqlTokenExpired: refusal(401, () => "the token has expired", []),
  sqlTokenElsewhere: refusal(401, () => "the token is for another database or group", []),
  databaseDeleted: refusal(401, (name: string) => `database ${name} is deleted`, ["orders"]),

  revivedNameTaken: refusal(400, (name: string) => `cannot restore group [${name}]: its name is already in use`, [
    "default",
  ]),
  groupDeletedLater: refusal(
    400,
    (name: string) => `group [${name}] was deleted after the database; restore the group first`,
    ["default"],
  ),

  tokenNotFound: refusal(404, (id: string) => `could not find token with id [${id}]`, ["clGFZ4STEe6fljpFzIum8A"]),
  tokenNameNotFound: refusal(404, (name: string) => `could not find token with name [${name}]`, ["ci"]),
  tokenExists: refusal(409, (name: string) => `token with name [${name}] already exists`, ["ci"]),
};

/** All errors that the API can return. Handlers never spell out the status or message of an error themselves. */
export const refuse = { ...PUBLIC, ...OWN };

export const INTERNAL_ERROR = "internal error";

/**
 * Reports that a server whose signing keys are publicly known would listen on an address that other machines can
 * reach.
 */
export const deterministicOnPublicHost = message(
  (host: string) =>
    `A deterministic start is loopback-only, because its signing keys are public and others can reach ${host}. Use --host 127.0.0.1, or leave out --deterministic.`,
  ["0.0.0.0"],
);
