import type { ContentfulStatusCode } from "hono/utils/http-status";
import { PLAN_REFUSAL } from "../contract/error";
import { InvalidCursor, StoreFailure } from "./store/failure";

/** A response other than 200. Any code may throw it; one place turns it into a response. */
export class ApiError extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: ContentfulStatusCode,
    message: string,
    readonly code?: string,
    /** The underlying failure, if it does not concern the caller. */
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const ALLOWED = { member: "members", admin: "admin or owner", owner: "owners" };

/** Every refusal by name, with the public service's text where wire-facts 3.4, 5 or 9 records one. */
export const refuse = {
  tokenMalformed: () => new ApiError(401, "token contains an invalid number of segments"),
  tokenUnknown: () => new ApiError(401, "could not parse jwt id"),

  organizationNotFound: () => new ApiError(404, "organization not found"),
  organizationLevel: () => new ApiError(403, "group-scoped token cannot access org-level resources"),
  beyondOrganization: (doing: string) => new ApiError(403, `organization-scoped token cannot ${doing}`),
  missingScope: (scope: string) => new ApiError(403, `token is missing the scope ${scope}`),
  groupUnnamed: () => new ApiError(403, "group-scoped tokens must specify a group in the request"),
  role: (least: "member" | "admin" | "owner", doing = "this operation") =>
    new ApiError(403, `${doing} is only allowed for ${ALLOWED[least]}`),
  plan: () => new ApiError(403, "this feature is not available on the starter plan", PLAN_REFUSAL),

  instant: (text: string) =>
    new ApiError(400, `"${text}" is not a date and time: write it as 2026-03-01T12:00:00 (UTC)`),
  clock: () => new ApiError(400, "the clock goes from the year 1 to the year 9999, in UTC"),
  noSeed: () => new ApiError(400, "this data was seeded by another version: there is no seed to go back to"),
  invalid: (problem: string) => new ApiError(400, problem),
  bodyNotJson: ({ line, column }: { line: number; column: number }) =>
    new ApiError(400, `the request body is not valid JSON: line ${line}, column ${column}`),
  bodyNotUtf8: () => new ApiError(400, "the request body is not valid UTF-8"),
  bodyNotMultipart: () => new ApiError(400, "the request body must be multipart/form-data"),
  bodyTooDeep: (depth: number) => new ApiError(400, `the request body is nested more than ${depth} levels deep`),
  bodyTooLarge: (bytes: number) => new ApiError(413, `the request body has more than ${bytes} bytes`),
  notStorable: () => new ApiError(400, "text must be well-formed Unicode without the character U+0000"),
  misplacedToken: () => new ApiError(400, "a token belongs in the header Authorization and nowhere else"),
  name: (kind: "database" | "group", problem: string) => new ApiError(400, `invalid ${kind} name: ${problem}`),
  location: (code: string) => new ApiError(400, `invalid location: ${code}`),
  locationNotFound: (code: string) => new ApiError(404, `could not find location [${code}]`),
  primaryLocation: (code: string) => new ApiError(400, `the primary location ${code} cannot be removed`),

  organizationExists: (name: string) => new ApiError(409, `organization with name [${name}] already exists`),
  organizationName: (problem: string) => new ApiError(400, `invalid organization name: ${problem}`),
  personalOrganization: (doing: string) => new ApiError(400, `a personal organization cannot ${doing}`),
  organizationInUse: (slug: string) => new ApiError(400, `organization [${slug}] still holds databases`),
  lastOrganization: () => new ApiError(400, "the only organization of this server cannot be deleted"),

  invitesNeedPlan: (slug: string, plan: string) =>
    new ApiError(400, `organization ${slug} can't invite users because plan ${plan} doesn't support it`),
  inviteNotFound: () => new ApiError(404, "invite not found"),
  userNotFound: (username: string) => new ApiError(404, `could not find user [${username}]`),
  alreadyMember: (username: string, slug: string) =>
    new ApiError(409, `user [${username}] is already a member of organization [${slug}]`),
  notMember: (username: string, slug: string) =>
    new ApiError(404, `user [${username}] is not a member of org [${slug}]`),
  ofOwner: () => new ApiError(403, "only an owner can change or remove an owner"),
  lastOwner: () => new ApiError(400, "an organization keeps at least one owner"),
  memberNotFound: () => new ApiError(404, "could not find member"),
  groupNotFound: () => new ApiError(404, "group not found"),
  foreignGroup: (name: string) => new ApiError(404, `group ${name} not found`),
  groupOfDatabaseNotFound: () => new ApiError(400, "group not found"),
  groupExists: () => new ApiError(409, "group already exists"),
  groupAlreadyThere: (slug: string) => new ApiError(400, `the group belongs to organization ${slug} already`),
  databaseNotFound: (name: string) =>
    new ApiError(404, `could not find database with name [${name}]: record not found`),
  databaseIdNotFound: (id: string) => new ApiError(404, `could not find database with id [${id}]: record not found`),
  databaseExists: (name: string) => new ApiError(409, `database with name [${name}] already exists`),
  isProtected: (kind: "database" | "group", name: string) =>
    new ApiError(403, `${kind} ${name} is delete-protected and cannot be deleted`),

  groupArchived: (name: string) => new ApiError(400, `group ${name} is archived: unarchive it first`),
  groupLocationNotFound: (group: string, code: string) => new ApiError(404, `group ${group} has no location ${code}`),
  databaseAlreadyThere: (slug: string) => new ApiError(400, `the database belongs to organization ${slug} already`),
  noGroupThere: (slug: string, group: string) => new ApiError(400, `organization ${slug} has no group ${group}`),
  databaseOfInstanceNotFound: (name: string) =>
    new ApiError(404, `could not find database ${name} to delete instance from`),
  instanceNotFound: (instance: string, database: string) =>
    new ApiError(404, `could not find instance ${instance} of database ${database}`),
  instanceOfGroup: (instance: string, group: string) =>
    new ApiError(400, `instance ${instance} comes with group ${group}: remove the location from the group`),

  expiration: () => new ApiError(400, "Invalid expiration format"),
  otherDatabaseNotFound: (name: string) =>
    new ApiError(400, `could not find database with name [${name}]: record not found`),
  engineOfParent: (name: string) =>
    new ApiError(400, `a copy of database ${name} has its engine: it cannot be moved to tursodb`),
  moment: (problem: string) => new ApiError(400, `the timestamp of the seed ${problem}`),
  dumpNotFound: (url: string) => new ApiError(400, `no dump was uploaded to ${url}`),

  sqlTokenUnknown: () => new ApiError(401, "the token is signed by no key of a database or group"),
  sqlTokenRotated: () => new ApiError(401, "role was invalidated after token was issued"),
  sqlTokenExpired: () => new ApiError(401, "the token has expired"),
  sqlTokenElsewhere: () => new ApiError(401, "the token is for another database or group"),
  databaseDeleted: (name: string) => new ApiError(401, `database ${name} is deleted`),

  recoveryDisabled: () => new ApiError(400, "recovery is disabled for the organization"),
  notRestorable: (id: string) =>
    new ApiError(404, `no deleted database with id [${id}] exists, or its recovery window has passed`),
  groupNotRestorable: (id: string) =>
    new ApiError(404, `no deleted group with id [${id}] exists, or its recovery window has passed`),
  restoredNameTaken: (name: string) => new ApiError(400, `database with name [${name}] already exists`),
  revivedNameTaken: (name: string) => new ApiError(400, `cannot restore group [${name}]: its name is taken`),
  groupDeletedLater: (name: string) =>
    new ApiError(400, `group [${name}] was deleted after the database: restore the group first`),

  tokenNotFound: (id: string) => new ApiError(404, `could not find token with id [${id}]`),
  tokenNameNotFound: (name: string) => new ApiError(404, `could not find token with name [${name}]`),
  tokenExists: (name: string) => new ApiError(409, `token with name [${name}] already exists`),
};

/** Returns the refusal for a failure; `undefined` for an internal error. */
export function asRefusal(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof InvalidCursor) return refuse.invalid("invalid cursor");
  return thrown instanceof StoreFailure ? new ApiError(503, thrown.message, undefined, thrown.cause) : undefined;
}

/** Returns the refusal with which the work rejects, or `undefined`; rethrows any other failure. */
export async function refusalOf(work: Promise<void>): Promise<ApiError | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    const refusal = asRefusal(thrown);
    if (refusal) return refusal;
    throw thrown;
  }
}
