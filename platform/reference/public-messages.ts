import { refusal } from "./refusal";

const ALLOWED = { member: "members", admin: "admin or owner", owner: "owners" };

/**
 * Messages of the public service (wire-facts 1 to 9) and of the specification (§7). Do not reword them, because
 * official clients and users rely on them.
 */
export const PUBLIC = {
  tokenMalformed: refusal(401, () => "token contains an invalid number of segments", []),
  tokenUnknown: refusal(401, () => "could not parse jwt id", []),

  organizationNotFound: refusal(404, () => "organization not found", []),
  organizationLevel: refusal(403, () => "group-scoped token cannot access org-level resources", []),
  groupUnnamed: refusal(403, () => "group-scoped tokens must specify a group in the request", []),
  roleTooLow: refusal(
    403,
    (least: "member" | "admin" | "owner", doing = "this operation") => `${doing} is only allowed for ${ALLOWED[least]}`,
    ["admin", "updating member roles"],
    ["owner"],
  ),

  invalidName: refusal(400, (kind: "database" | "group", problem: string) => `invalid ${kind} name: ${problem}`, [
    "database",
    "a name must contain only lowercase letters, digits and hyphens",
  ]),
  invalidNameLength: refusal(
    400,
    (kind: "database" | "group", longest: number) =>
      `invalid ${kind} name: name must contain between 1 and ${longest} characters`,
    ["database", 52],
  ),
  invalidLocation: refusal(400, (code: string) => `invalid location: ${code}`, ["amss"]),
  invalidExpiration: refusal(400, () => "Invalid expiration format", []),

  invitesNeedPlan: refusal(
    400,
    (slug: string, plan: string) => `organization ${slug} can't invite users because plan ${plan} doesn't support it`,
    ["acme", "starter"],
  ),
  inviteNotFound: refusal(404, () => "invite not found", []),
  userNotFound: refusal(404, (username: string) => `could not find user [${username}]`, ["zoe"]),
  alreadyMember: refusal(
    409,
    (username: string, slug: string) => `user [${username}] is already a member of organization [${slug}]`,
    ["max", "acme"],
  ),
  notMember: refusal(404, (username: string, slug: string) => `user [${username}] is not a member of org [${slug}]`, [
    "zoe",
    "acme",
  ]),
  memberNotFound: refusal(404, () => "could not find member", []),

  groupNotFound: refusal(404, () => "group not found", []),
  groupOfDatabaseNotFound: refusal(400, () => "group not found", []),
  /** A group-scoped token sees only its own group, so every other group is reported as missing. */
  foreignGroup: refusal(404, (name: string) => `group ${name} not found`, ["default"]),
  groupExists: refusal(409, () => "group already exists", []),

  databaseNotFound: refusal(404, (name: string) => `could not find database with name [${name}]: record not found`, [
    "orders",
  ]),
  /** Reports that another database named in the request, such as the parent of a copy, does not exist. */
  otherDatabaseNotFound: refusal(
    400,
    (name: string) => `could not find database with name [${name}]: record not found`,
    ["orders"],
  ),
  databaseExists: refusal(409, (name: string) => `database with name [${name}] already exists`, ["orders"]),
  restoredNameTaken: refusal(400, (name: string) => `database with name [${name}] already exists`, ["orders"]),
  deleteProtected: refusal(
    403,
    (kind: "database" | "group", name: string) => `${kind} ${name} is delete-protected and cannot be deleted`,
    ["database", "orders"],
  ),
  databaseOfInstanceNotFound: refusal(
    404,
    (name: string) => `could not find database ${name} to delete instance from`,
    ["orders"],
  ),
  instanceNotFound: refusal(
    404,
    (instance: string, database: string) => `could not find instance ${instance} of database ${database}`,
    ["aws-eu-west-1", "orders"],
  ),
  sqlTokenRotated: refusal(401, () => "role was invalidated after token was issued", []),

  recoveryDisabled: refusal(400, () => "recovery is disabled for the organization", []),
  notRestorable: refusal(
    404,
    (id: string) => `no deleted database with id [${id}] exists, or its recovery window has passed`,
    ["71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b"],
  ),
  groupNotRestorable: refusal(
    404,
    (id: string) => `no deleted group with id [${id}] exists, or its recovery window has passed`,
    ["0a28102d-6906-41ee-8553-eaa7715aeaf2"],
  ),
};
