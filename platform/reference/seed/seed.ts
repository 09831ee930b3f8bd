import * as z from "zod";
import { checked } from "../../contract/checked";
import { updateDatabaseConfiguration } from "../../contract/configuration";
import { PlanId, Role } from "../../contract/organization";
import { isLocation } from "../../values/location";
import { nameProblem, tokenNameProblem } from "../../values/name";
import { scopeProblem } from "../../values/scope";
import { locationUnknown } from "./messages";
import { reportMistakes } from "./mistakes";
import { Moment, NOW } from "./moment";

const Name = checked(nameProblem);
const Uuid = z.guid().toLowerCase();
const Location = checked((code) => (isLocation(code) ? undefined : locationUnknown(code)));

const SeedUser = z.strictObject({
  username: z.string().min(1).meta({ description: "By which members and tokens name the user." }),
  name: z.string().optional().meta({ description: "Full name. Left out: the username." }),
  email: z.string().optional().meta({ description: "Left out: `<username>@users.example`." }),
});

const Version = z.string().optional().meta({ description: "Of the SQL engine. Left out: the newest." });

const SeedGroup = z.strictObject({
  name: Name.meta({ description: "Lowercase letters, digits and hyphens." }),
  uuid: Uuid.optional().meta({ description: "Left out: a random one." }),
  location: Location.default("aws-us-east-1").meta({ description: "Code of the primary location." }),
  other_locations: z
    .array(Location)
    .default([])
    .meta({ description: "Codes of the locations beside the primary one, in the order in which they were added." }),
  delete_protection: z.boolean().default(false).meta({ description: "Whether deleting the group is refused." }),
  archived: z.boolean().default(false).meta({ description: "Whether the group is archived." }),
  version: Version,
  deleted_at: Moment.optional().meta({
    description:
      "When the group was deleted, and its databases with it: RFC 3339, or how long before the start (`-2d`, `-1d12h`). Left out: it lives.",
  }),
});

const SeedDatabase = z.strictObject({
  name: Name.meta({ description: "Lowercase letters, digits and hyphens." }),
  uuid: Uuid.optional().meta({ description: "The `DbId`. Left out: a random one." }),
  group: z.string().default("default").meta({ description: "Name or UUID of a group of the organization." }),
  parent: z
    .string()
    .optional()
    .meta({ description: "Name or UUID of the database of the organization that this one was made from." }),
  branched_at: Moment.optional().meta({
    description: "The instant of the parent's data, written like `deleted_at`. Left out: the start.",
  }),
  engine: z.enum(["libsql", "tursodb"]).default("libsql").meta({ description: "SQL engine." }),
  version: Version,
  sleeping: z.boolean().default(false).meta({ description: "Whether the database sleeps until it is woken." }),
  storage_bytes: z.int().min(0).default(4096).meta({ description: "Size in bytes." }),
  deleted_at: Moment.optional().meta({
    description:
      "When the database was deleted: RFC 3339, or how long before the start (`-2d`, `-1d12h`). Left out: it lives, or was deleted together with its group.",
  }),
  ...updateDatabaseConfiguration.body.shape,
});

const SeedToken = z.strictObject({
  name: checked(tokenNameProblem).meta({ description: "By which the start tells its text: once in the whole seed." }),
  user: z.string().meta({ description: "Username of a member, who has minted the token." }),
  group: z
    .string()
    .optional()
    .meta({ description: "Name or UUID of the group of a group-scoped token. Left out: for the organization." }),
  scopes: z
    .array(checked(scopeProblem))
    .min(1)
    .optional()
    .meta({ description: "Scopes or presets (`read-only`, `full-access`) of a group-scoped token." }),
});

const SeedInvite = z.strictObject({
  email: z.email().toLowerCase().meta({ description: "Of whoever is invited." }),
  role: Role.exclude(["owner"]).default("member").meta({ description: "What the member will be." }),
  created_at: Moment.default(NOW).meta({
    description: "When: RFC 3339, or how long before the start (`-2d`, `-1d12h`).",
  }),
});

const SeedAuditLog = z.strictObject({
  code: z.string().min(1).meta({ description: "What happened, such as `db-create`." }),
  author: z.string().meta({ description: "Username of whoever did it, also of somebody who is no member any more." }),
  origin: z.string().default("cli").meta({ description: "Where it was done: `cli`, `web` or `api`." }),
  message: z.string().default("").meta({ description: "For people." }),
  created_at: Moment.default(NOW).meta({
    description: "When it happened: RFC 3339, or how long before the start (`-2d`, `-1d12h`).",
  }),
  data: z.record(z.string(), z.unknown()).default({}).meta({ description: "Names and ids of what was changed." }),
});

const SeedMember = z.strictObject({
  username: z.string().meta({ description: "One of `users`." }),
  role: Role.meta({ description: "What the member may do (§5)." }),
});

const SeedOrganization = z.strictObject({
  slug: Name.meta({ description: "Name in v1 paths: lowercase letters, digits and hyphens." }),
  type: z.enum(["personal", "team"]).default("team").meta({
    description: "`personal`: the account of the user whose name is the slug, its owner and only member.",
  }),
  id: Uuid.optional().meta({ description: "UUID in v3 paths. Left out: a random one." }),
  plan: PlanId.default("scaler").meta({ description: "`starter` is the free plan: no restoring, no audit logs." }),
  restore_enabled: z
    .boolean()
    .default(true)
    .meta({ description: "Whether deleted databases and groups may be restored." }),
  members: z.array(SeedMember).min(1).meta({ description: "At least one of them is an owner or admin." }),
  groups: z.array(SeedGroup).default([]).meta({ description: "Living and deleted ones." }),
  databases: z.array(SeedDatabase).default([]).meta({ description: "Living and deleted ones." }),
  invites: z.array(SeedInvite).default([]).meta({ description: "Invitations that nobody has answered yet." }),
  audit_logs: z.array(SeedAuditLog).default([]).meta({ description: "In the order in which it happened." }),
  tokens: z.array(SeedToken).default([]).meta({ description: "Platform API tokens, whose texts the start tells." }),
});

/** The initial content of a store. */
export const Seed = z
  .strictObject({
    users: z.array(SeedUser).min(1).meta({ description: "Everybody who can be a member of an organization." }),
    locations: z.enum(["aws", "fly"]).default("aws").meta({
      description: "Which of the two maps `GET /v1/locations` gives; groups can be in the locations of both.",
    }),
    organizations: z
      .array(SeedOrganization)
      .min(1)
      .meta({ description: "The first one is that of the start's token." }),
  })
  // Runs even if the form is wrong, so that all mistakes are reported at once.
  .superRefine(reportMistakes, { when: () => true })
  .meta({ title: "Seed of the reference API", description: "What the reference API holds before the first request." });

export type Seed = z.input<typeof Seed>;
export type CompleteSeed = z.output<typeof Seed>;
export type CompleteOrganization = z.output<typeof SeedOrganization>;
