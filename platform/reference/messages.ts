import { PLAN_REFUSAL } from "../contract/schemas";
import type { Facts } from "../values/facts";
import { refusals } from "./refusal";

const noDatabase = ({ name }: Facts<"name">) => `could not find database with name [${name}]: record not found`;
const nameTaken = ({ kind, name }: Facts<"kind" | "name">) => `${kind} with name [${name}] already exists`;
const groupArchived = ({ group }: Facts<"group">) => `group ${group} is archived; unarchive it first`;
export const invalidName = ({ kind, reason }: Facts<"kind" | "reason">) => `invalid ${kind} name: ${reason}`;
const ALLOWED = { member: "members", admin: "admin or owner", owner: "owners" };

/**
 * Messages of the public service (wire-facts 1 to 9) and of the specification (§7). Do not reword them, because
 * official clients and users rely on them.
 */
const PUBLIC = {
  ...refusals(400, {
    invalidName,
    invalidNameLength: ({ kind, longest }: Facts<"kind"> & { readonly longest: number }) =>
      `invalid ${kind} name: name must contain between 1 and ${longest} characters`,
    invalidLocation: ({ location }: Facts<"location">) => `invalid location: ${location}`,
    invalidExpiration: "Invalid expiration format",
    invitesNeedPlan: ({ slug, billingPlan }: Facts<"slug" | "billingPlan">) =>
      `organization ${slug} can't invite users because plan ${billingPlan} doesn't support it`,
    groupOfDatabaseNotFound: "group not found",
    /** Another database that the request names, such as the parent of a copy. */
    otherDatabaseNotFound: noDatabase,
    restoredNameTaken: nameTaken,
    recoveryDisabled: "recovery is disabled for the organization",
  }),
  ...refusals(401, {
    tokenMalformed: "token contains an invalid number of segments",
    tokenUnknown: "could not parse jwt id",
    sqlTokenRotated: "role was invalidated after token was issued",
  }),
  ...refusals(403, {
    organizationLevel: "group-scoped token cannot access org-level resources",
    groupUnnamed: "group-scoped tokens must specify a group in the request",
    roleTooLow: ({
      leastRole,
      doing = "this operation",
    }: Facts<never, "doing"> & { readonly leastRole: "member" | "admin" | "owner" }) =>
      `${doing} is only allowed for ${ALLOWED[leastRole]}`,
    deleteProtected: ({ kind, name }: Facts<"kind" | "name">) =>
      `${kind} ${name} is delete-protected and cannot be deleted`,
  }),
  ...refusals(404, {
    organizationNotFound: "organization not found",
    inviteNotFound: "invite not found",
    userNotFound: ({ username }: Facts<"username">) => `could not find user [${username}]`,
    notMember: ({ username, slug }: Facts<"username" | "slug">) =>
      `user [${username}] is not a member of org [${slug}]`,
    memberNotFound: "could not find member",
    groupNotFound: "group not found",
    /** A group-scoped token sees only its own group, so every other group is reported as missing. */
    foreignGroup: ({ group }: Facts<"group">) => `group ${group} not found`,
    databaseNotFound: noDatabase,
    databaseOfInstanceNotFound: ({ name }: Facts<"name">) => `could not find database ${name} to delete instance from`,
    instanceNotFound: ({ instance, database }: Facts<"instance" | "database">) =>
      `could not find instance ${instance} of database ${database}`,
    notRestorable: ({ kind, id }: Facts<"kind" | "id">) =>
      `no deleted ${kind} with id [${id}] exists, or its recovery window has passed`,
  }),
  ...refusals(409, {
    alreadyMember: ({ username, slug }: Facts<"username" | "slug">) =>
      `user [${username}] is already a member of organization [${slug}]`,
    groupExists: "group already exists",
    nameTaken,
  }),
};

/** Our own messages, in the style of the public service's: nothing documents its messages for these errors. */
const OWN = {
  ...refusals(400, {
    invalid: ({ reason }: Facts<"reason">) => reason,
    tooManyFaults: ({ bound }: { readonly bound: number | bigint }) =>
      `there are already ${bound} active fault rules; remove some of them (DELETE /_reference/faults)`,
    invalidInstant: ({ text }: Facts<"text">) =>
      `"${text}" is not a valid date and time; use the form 2026-03-01T12:00:00 (UTC)`,
    clockOutOfRange: "the clock can only be set to the years 1 to 9999 (UTC)",
    seedMissing: "cannot reset: this data was created by a version that stored no seed",
    snapshotName: ({ given }: Facts<"given">) =>
      `the name of a snapshot must have 1 to 64 lower-case letters, digits, - and _, begin with a letter or digit, and not be the name of a device on Windows, such as con, but is ${given}`,
    snapshotsWithoutFolder:
      "with data in PostgreSQL, snapshots need a folder on the server's machine; start the server with --snapshots <folder>",
    snapshotUnusable: ({ name, reason }: Facts<"name" | "reason">) =>
      `snapshot [${name}] cannot be loaded, and nothing was changed: ${reason}`,
    snapshotNewer: ({ name, release, savedBy }: Facts<"name" | "release" | "savedBy">) =>
      `snapshot [${name}] was saved by version ${savedBy}, whose data version ${release} does not know. Nothing was changed. Install a newer version of the package from which this server is started, or save the snapshot again with this one`,
    bodyNotJson: ({ line, column }: { readonly line: number; readonly column: number }) =>
      `the request body is not valid JSON: line ${line}, column ${column}`,
    bodyNotUtf8: "the request body is not valid UTF-8",
    bodyNotMultipart: "the request body must be multipart/form-data",
    bodyTooDeep: ({ depth }: { readonly depth: number }) => `the request body is nested more than ${depth} levels deep`,
    notStorable: "text must be valid Unicode without the character U+0000",
    misplacedToken: "a token may only be sent in the Authorization header",
    primaryLocation: ({ location }: Facts<"location">) => `the primary location ${location} cannot be removed`,
    personalOrganization: ({ unpersonal }: { readonly unpersonal: "be deleted" | "have other members" }) =>
      `a personal organization cannot ${unpersonal}`,
    organizationInUse: ({ slug }: Facts<"slug">) => `organization [${slug}] cannot be deleted while it has databases`,
    lastOrganization: "the only organization of this server cannot be deleted",
    alreadyInOrganization: ({ kind, slug }: Facts<"kind" | "slug">) =>
      `the ${kind} already belongs to organization ${slug}`,
    lastOwner: "an organization must keep at least one owner",
    groupArchived,
    groupMissing: ({ slug, group }: Facts<"slug" | "group">) => `organization ${slug} has no group ${group}`,
    instanceOfGroup: ({ instance, group }: Facts<"instance" | "group">) =>
      `instance ${instance} belongs to group ${group}; to remove it from every database of the group, remove the location from the group`,
    engineOfParent: ({ database }: Facts<"database">) =>
      `a copy of database ${database} keeps its engine and cannot use tursodb`,
    encryptionOfParent: ({ database, parentCipher }: Facts<"database"> & { readonly parentCipher: string | null }) =>
      parentCipher === null
        ? `a copy of database ${database} cannot be encrypted, because the database is not encrypted`
        : `a copy of database ${database} needs its encryption key and its cipher, ${parentCipher}`,
    timestampInFuture: "the timestamp of the seed is in the future",
    timestampBeforeParent: ({ database }: Facts<"database">) =>
      `the timestamp of the seed is earlier than the creation of database ${database}`,
    timestampTooOld: ({ days }: { readonly days: number }) =>
      `the timestamp of the seed is older than the ${days === 1 ? "24 hours" : `${days} days`} that the plan keeps`,
    momentNotKept: ({ database, since }: Facts<"database" | "since">) =>
      `the rows of database ${database} are only kept since ${since}; copy a later state`,
    rowsNotKept: ({ name, since }: Facts<"name" | "since">) =>
      `database ${name} is a copy without rows, because those that it copies are only kept since ${since}; create another copy, of a later state`,
    dumpInvalid: ({ line, reason }: Facts<"reason"> & { readonly line: number }) =>
      `the dump is invalid at line ${line}: ${reason}`,
    rejectedOnAws: ({ setting }: Facts<"setting">) => `databases on AWS do not support ${setting}`,
    dumpNotFound: ({ url }: Facts<"url">) => `no dump was uploaded to ${url}`,
    revivedNameTaken: ({ group }: Facts<"group">) => `cannot restore group [${group}]: its name is already in use`,
    groupDeletedLater: ({ group }: Facts<"group">) =>
      `group [${group}] was deleted after the database; restore the group first`,
  }),
  ...refusals(401, {
    sqlTokenUnknown: "the token is not signed by the key of any database or group",
    sqlTokenExpired: "the token has expired",
    sqlTokenElsewhere: "the token is for another database or group",
    databaseDeleted: ({ database }: Facts<"database">) => `database ${database} is deleted`,
  }),
  ...refusals(403, {
    unrestrictedTokenForbidden: "organization-scoped token cannot create an unrestricted token",
    otherOrganizationsForbidden: "organization-scoped token cannot act outside its organization",
    missingScope: ({ scope }: Facts<"scope">) => `token is missing the scope ${scope}`,
    ownerRequired: "only an owner can change or remove an owner",
    groupStopped: groupArchived,
  }),
  ...refusals(403, { paidPlanRequired: "this feature is not available on the starter plan" }, PLAN_REFUSAL),
  ...refusals(404, {
    noSuchPath: "there is no such path in a database",
    noReplicas:
      "the reference API has no replicas, so nothing can be synchronized. Connect to the database itself: with @libsql/client, leave out syncUrl; instead of @tursodatabase/sync, use @tursodatabase/serverless",
    notADatabaseAddress:
      "this is not the address of a database. The address ends in /, as in /sql/<DbId>/, because clients replace what follows the last /",
    locationNotFound: ({ location }: Facts<"location">) => `could not find location [${location}]`,
    groupLocationNotFound: ({ group, location }: Facts<"group" | "location">) =>
      `group ${group} has no location ${location}`,
    databaseIdNotFound: ({ id }: Facts<"id">) => `could not find database with id [${id}]: record not found`,
    tokenNotFound: ({ id }: Facts<"id">) => `could not find token with id [${id}]`,
    tokenNameNotFound: ({ name }: Facts<"name">) => `could not find token with name [${name}]`,
    snapshotNotFound: ({ name, place }: Facts<"name" | "place">) => `there is no snapshot [${name}] in ${place}`,
  }),
  ...refusals(409, {
    snapshotExists: ({ name }: Facts<"name">) =>
      `snapshot [${name}] already exists; replace it with "replace": true (on the command line, --replace), or choose another name`,
    snapshotOfOthers: ({ folder }: Facts<"folder">) =>
      `the folder ${folder} is not a snapshot, so it was not changed; choose another name`,
    rowsElsewhere:
      "the databases of this data have rows, which only a server with --sql can save and load; use that server, or start this one with --sql",
  }),
  ...refusals(503, {
    uploadStopped: "the upload was stopped, because a snapshot was loaded or the server was reset; repeat the upload",
    snapshotsFolderUnusable: ({ reason }: Facts<"reason">) =>
      `the folder with the snapshots cannot be used: ${reason}. Change its permissions, or start the server with another folder (--snapshots)`,
  }),
  ...refusals(413, {
    bodyTooLarge: ({ mostBytes }: { readonly mostBytes: number }) =>
      `the request body is larger than ${mostBytes} bytes`,
  }),
};

/** All errors that the API can return. Handlers never spell out the status or message of an error themselves. */
export const refuse = { ...PUBLIC, ...OWN };

// Why a server cannot start
export const deterministicOnPublicHost = ({ host }: Facts<"host">) =>
  `A deterministic start is loopback-only, because its signing keys are public and others can reach ${host}. Use --host 127.0.0.1, or leave out --deterministic.`;
export const KEY_UNUSABLE =
  "The key for the routes under /_reference/ must have at least 16 characters, all of them printable ASCII without spaces. Set DBPLATFORM_REFERENCE_KEY (in code, `key`) to one of your choice, such as the output of `openssl rand -hex 16`.";
export const EMPTY_HOST = "The host is empty. Use --host 127.0.0.1, or 0.0.0.0 for every address of this machine.";
export const portInUse = ({ port, host }: Facts<"host"> & { readonly port: number }) =>
  `Port ${port} on ${host} is already in use. Stop the program that listens there, or use --port 0 for any free port.`;
export const portReserved = ({ port, host }: Facts<"host"> & { readonly port: number }) =>
  `Port ${port} on ${host} is reserved for privileged users. Use port 1024 or higher, or --port 0 for any free port.`;
export const addressMissing = ({ host }: Facts<"host">) =>
  `This machine does not have the address ${host}. Use --host 127.0.0.1, or 0.0.0.0 for every address of this machine.`;
export const hostUnresolved = ({ host }: Facts<"host">) =>
  `The name ${host} cannot be resolved. Use --host with an address of this machine, such as 127.0.0.1.`;

// HTTP, without an operation

/** The public service's response to an unknown route (wire-facts 0). It is not JSON. */
export const NO_ROUTE = "404 page not found";
export const INTERNAL_ERROR = "internal error";
export const injectedFault = ({ status }: { readonly status: number }) => `fault: status ${status}`;
export const keyRequired = ({ keyHeader }: Facts<"keyHeader">) =>
  `the header ${keyHeader} must contain the key of the server, which DBPLATFORM_REFERENCE_KEY set or the start printed`;
export const LOOPBACK_ONLY = "these routes are only served under a loopback name of this machine, such as localhost";
export const FOREIGN_PAGE = "a page of another origin cannot change the reference API";

// Instants: the public service's messages (wire-facts 3.2)
export const instantUnparsable = ({ text, layout, rest, part }: Facts<"text" | "layout" | "rest" | "part">) =>
  `parsing time "${text}" as "${layout}": cannot parse "${rest}" as "${part}"`;
export const instantOutOfRange = ({ text }: Facts<"text">) => `parsing time "${text}": out of range`;
export const instantTooLong = ({ text, rest }: Facts<"text" | "rest">) =>
  `parsing time "${text}": extra text: "${rest}"`;

// Fields of requests
export const RESTORE_ENABLED_WITH_OTHERS = "restore_enabled must be updated on its own";
export const GROUP_AND_GROUP_ID = "specify group or group_id, not both";
export const USERNAME_MISSING = "username is required";
export const USERNAMES_DIFFER = "the request names different users";
export const EMAIL_OR_USERNAME = "specify either email or username";
export const SCHEMA_DATABASE = "schema databases are no longer supported";
export const SEED_NAME_MISSING = "seed.name is required when seed.type is database";
export const SEED_URL_MISSING = "seed.url must be an http(s) address when seed.type is dump";
export const SEED_TIMESTAMP_MISPLACED = "seed.timestamp is only allowed when seed.type is database";
export const groupInAws = ({ group }: Facts<"group">) => `group ${group} is already in AWS`;
export const migrationNotStarted = ({ group }: Facts<"group">) =>
  `group ${group} is not in AWS; its migration was not started`;

// New tokens
export const SCOPES_WITHOUT_GROUP = "scopes require a group";
export const GROUP_WITHOUT_SCOPES = "a group-scoped token requires at least one scope";
export const GROUP_WITHOUT_ORGANIZATION = "a group-scoped token requires an organization";
export const UNRESTRICTED_WITH_GROUP = "a group-scoped token cannot be unrestricted; leave out organization: null";
export const USER_AND_ROLE = "specify a user or a role, not both";
export const invalidScopes = ({ reason }: Facts<"reason">) => `invalid scopes: ${reason}`;
export const NO_ORGANIZATION = "the reference API has no organization";
export const objectMissing = ({ kind, name }: Facts<"kind" | "name">) => `the reference API has no ${kind} "${name}"`;
export const roleMissing = ({ roles, slug }: Facts<"slug"> & { readonly roles: readonly string[] }) =>
  `organization "${slug}" has no ${roles.join(" or ")}`;
export const usernameTaken = ({ username }: Facts<"username">) =>
  `"${username}" cannot be a username, because it is the slug of an organization`;

// Snapshots
export const NOTHING_SAVED = "there is no organization or no user in it";

// Fault rules
export const operationUnknown = ({ given }: Facts<"given">) =>
  `must be the name of an operation in /openapi.json, or "*", but is ${given}`;
export const faultMissing = ({ id }: Facts<"id">) => `there is no fault rule with id [${id}]`;
export const SEED_WITHOUT_PROBABILITY = "seed requires probability";
export const HANG_AND_RESET = "a call cannot both hang and be reset";
export const ANSWER_OF_UNANSWERED = "a call that hangs or is reset gets no response; leave out status, body and omit";
export const NOTHING_TO_OMIT = "omit needs a response of the platform; leave out status and body, and do not use sql";
export const STALE_AND_FAILED = "a stale response is complete; leave out hang, reset, status, body and omit";
export const STALE_WRITE = "only operations that read can be stale";
export const RETRY_AFTER_WITHOUT_STATUS = "retryAfter requires status";
export const NO_EFFECT = "the rule has no effect; add latency, status, body, omit, reset, stale or hang";
