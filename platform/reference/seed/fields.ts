import * as z from "zod";
import { ConfigurationChanges, REJECTABLE_ON_AWS } from "../../contract/configuration";
import { PlanId, Role, Timeline } from "../../contract/organization";
import { checkedText } from "../../contract/schemas";
import { CIPHERS } from "../../values/cipher";
import { ENGINES } from "../../values/engine";
import { isLocation } from "../../values/location";
import { nameProblem, tokenNameProblem } from "../../values/name";
import { scopeProblem } from "../../values/scope";
import { locationCodeUnknown } from "./messages";
import { Moment, NOW } from "./moment";

const Name = checkedText(nameProblem);
const Uuid = z.guid().toLowerCase();
const Location = checkedText((location) => (isLocation(location) ? undefined : locationCodeUnknown({ location })));

const SeedUser = z.strictObject({
  username: z.string().min(1).meta({ description: "Name by which members and tokens refer to the user." }),
  name: z.string().optional().meta({ description: "Full name. Default: the username." }),
  email: z.string().optional().meta({ description: "Email address. Default: `<username>@users.example`." }),
});

const Version = z.string().optional().meta({ description: "Version of the SQL engine. Default: the newest." });

const SeedGroup = z.strictObject({
  name: Name.meta({ description: "Lowercase letters, digits and hyphens." }),
  uuid: Uuid.optional().meta({ description: "UUID of the group. Default: random." }),
  location: Location.default("aws-us-east-1").meta({ description: "Code of the primary location." }),
  other_locations: z
    .array(Location)
    .default([])
    .meta({ description: "Codes of the other locations, in the order in which they were added." }),
  delete_protection: z.boolean().default(false).meta({ description: "Whether the group is protected from deletion." }),
  archived: z.boolean().default(false).meta({ description: "Whether the group is archived." }),
  version: Version,
  deleted_at: Moment.optional().meta({
    description:
      "Time at which the group and its databases were deleted: RFC 3339, or a duration before the start (`-2d`, `-1d12h`). Default: the group is live.",
  }),
});

const SeedDatabase = z.strictObject({
  name: Name.meta({ description: "Lowercase letters, digits and hyphens." }),
  uuid: Uuid.optional().meta({ description: "The `DbId`. Default: random." }),
  group: z.string().default("default").meta({ description: "Name or UUID of a group of the organization." }),
  parent: z
    .string()
    .optional()
    .meta({ description: "Name or UUID of the database, in the same organization, that this one was copied from." }),
  parent_name: z.string().optional().meta({
    description:
      "Name of the parent at the time of the copy. With it, `parent` can be the UUID of a database that is not in the seed. Default: the present name.",
  }),
  branched_at: Moment.optional().meta({
    description: "Point in time of the parent's data, in the form of `deleted_at`. Default: the start.",
  }),
  added_locations: z
    .array(Location)
    .default([])
    .meta({ description: "Codes of locations that this database has in addition to those of its group." }),
  encryption_cipher: z.enum(CIPHERS).optional().meta({ description: "Cipher of an encrypted database." }),
  engine: z.enum(ENGINES).default("libsql").meta({ description: "SQL engine." }),
  version: Version,
  sleeping: z.boolean().default(false).meta({ description: "Whether the database is asleep." }),
  storage_bytes: z.int().min(0).default(4096).meta({ description: "Size in bytes." }),
  sql: z.string().optional().meta({
    description:
      "SQL statements that create the tables and rows of the database. Without `--sql`, they are not executed.",
  }),
  deleted_at: Moment.optional().meta({
    description:
      "Time at which the database was deleted: RFC 3339, or a duration before the start (`-2d`, `-1d12h`). Default: the database is live, or was deleted with its group.",
  }),
  group_deleted_at: Moment.optional().meta({
    description:
      "Time at which the group was deleted together with the database, in the form of `deleted_at`, which it requires. The database returns with its group if the `deleted_at` of the group is the same.",
  }),
  ...ConfigurationChanges().shape,
});

const SeedToken = z.strictObject({
  name: checkedText(tokenNameProblem).meta({
    description:
      "Name of the token, unique among those of its user, and in the whole seed if the start prints the token.",
  }),
  id: z.string().min(1).optional().meta({ description: "Id of the token. Default: random." }),
  user: z.string().meta({ description: "Username of the member who created the token." }),
  created_at: Moment.default(NOW).meta({ description: "Time of creation, in the form of `deleted_at`." }),
  usable: z.boolean().default(true).meta({
    description:
      "Whether the start creates and prints the token. `false`: only its record is listed, and its user may be a former member.",
  }),
  group: z.string().optional().meta({
    description: "Name or UUID of the group of a group-scoped token. Default: the token is for the organization.",
  }),
  scopes: z
    .array(checkedText(scopeProblem))
    .min(1)
    .optional()
    .meta({ description: "Scopes or presets (`read-only`, `full-access`) of a group-scoped token." }),
});

const SeedInvite = z.strictObject({
  id: z.int32().positive().optional().meta({ description: "Id of the invite. Default: the next free number." }),
  email: z.email().toLowerCase().meta({ description: "Email address of the invited person." }),
  role: Role().exclude(["owner"]).default("member").meta({ description: "Role of the future member." }),
  created_at: Moment.default(NOW).meta({
    description: "Time of the invite: RFC 3339, or a duration before the start (`-2d`, `-1d12h`).",
  }),
});

const SeedAuditLog = z.strictObject({
  code: z.string().min(1).meta({ description: "Code of the event, such as `db-create`." }),
  author: z.string().meta({ description: "Username of the author, who may be a former member." }),
  origin: z.string().default("cli").meta({ description: "Origin of the action: `cli`, `web` or `api`." }),
  message: z.string().default("").meta({ description: "Text for people." }),
  created_at: Moment.default(NOW).meta({
    description: "Time of the event: RFC 3339, or a duration before the start (`-2d`, `-1d12h`).",
  }),
  data: z.record(z.string(), z.unknown()).default({}).meta({ description: "Names and ids of the changed objects." }),
});

const SeedMember = z.strictObject({
  username: z.string().meta({ description: "One of `users`." }),
  role: Role().meta({ description: "Role of the member (§5)." }),
});

const SeedOrganization = z.strictObject({
  slug: Name.meta({ description: "Name in v1 paths: lowercase letters, digits and hyphens." }),
  type: z.enum(["personal", "team"]).default("team").meta({
    description:
      "`personal`: the account of the user whose username is the slug. That user is its owner and only member.",
  }),
  id: Uuid.optional().meta({ description: "UUID in v3 paths. Default: random." }),
  plan: PlanId()
    .default("scaler")
    .meta({ description: "`starter` is the free plan, without recovery and audit logs." }),
  plan_timeline: Timeline().optional().meta({ description: "Billing period of the plan. Default: none." }),
  overages: z.boolean().default(false).meta({ description: "Whether usage beyond the plan is billed." }),
  require_mfa: z.boolean().default(false).meta({ description: "Whether members must use two factors to log in." }),
  restore_enabled: z
    .boolean()
    .default(true)
    .meta({ description: "Whether deleted databases and groups can be restored." }),
  members: z
    .array(SeedMember)
    .min(1)
    .meta({ description: "Members of the organization; at least one must be an owner or admin." }),
  groups: z.array(SeedGroup).default([]).meta({ description: "Live and deleted groups." }),
  databases: z.array(SeedDatabase).default([]).meta({ description: "Live and deleted databases." }),
  invites: z.array(SeedInvite).default([]).meta({ description: "Pending invites." }),
  audit_logs: z.array(SeedAuditLog).default([]).meta({ description: "Past events, in chronological order." }),
  tokens: z.array(SeedToken).default([]).meta({ description: "Platform API tokens. The start prints them." }),
});

/** The fields of a seed, each valid by itself. */
export const SeedFields = z.strictObject({
  users: z.array(SeedUser).min(1).meta({ description: "Users who can be members of organizations." }),
  locations: z.enum(["aws", "fly"]).default("aws").meta({
    description: "Map of locations that `GET /v1/locations` returns. Groups can use the locations of both maps.",
  }),
  rejected_on_aws: z.array(z.enum(REJECTABLE_ON_AWS)).default([]).meta({
    description:
      "Settings that databases in AWS locations reject, as others report of the service: `size_limit`, `allow_attach`.",
  }),
  organizations: z
    .array(SeedOrganization)
    .min(1)
    .meta({ description: "Organizations. The tokens that the start prints are for the first one." }),
});

export type SeedFields = z.output<typeof SeedFields>;
