import { z } from "zod";
import { checked } from "../../contract/checked";
import { updateDatabaseConfiguration } from "../../contract/configuration";
import { Role } from "../../contract/organization";
import { isLocation } from "../../values/location";
import { longestName, nameProblem, tokenNameProblem } from "../../values/name";
import { scopeProblem } from "../../values/scope";
import { Instant } from "../instant";
import { duplicatesIn } from "./duplicates";
import { groupOf } from "./group";

const InstantText = Instant.transform((instant) => instant.toISOString());
const Name = checked(nameProblem);
const Uuid = z.guid().toLowerCase();

const SeedUser = z.strictObject({
  username: z.string().min(1),
  name: z.string().optional(),
  email: z.string().optional(),
});

const SeedGroup = z.strictObject({
  name: Name,
  uuid: Uuid.optional(),
  location: checked((code) => (isLocation(code) ? undefined : `"${code}" is no location`)).default("aws-us-east-1"),
  delete_protection: z.boolean().default(false),
  deleted_at: InstantText.optional(),
});

const SeedDatabase = z.strictObject({
  name: Name,
  uuid: Uuid.optional(),
  /** Name or UUID. */
  group: z.string().default("default"),
  /** Left out where the group is deleted: deleted together with it. */
  deleted_at: InstantText.optional(),
  ...updateDatabaseConfiguration.body.shape,
});

const SeedToken = z.strictObject({
  name: checked(tokenNameProblem),
  user: z.string(),
  group: z.string().optional(),
  scopes: z.array(checked(scopeProblem)).min(1).optional(),
});

const SeedOrganization = z
  .strictObject({
    slug: Name,
    id: Uuid.optional(),
    plan: z.enum(["starter", "developer", "scaler", "pro", "enterprise"]).default("scaler"),
    restore_enabled: z.boolean().default(true),
    members: z.array(z.strictObject({ username: z.string(), role: Role })).min(1),
    groups: z.array(SeedGroup).default([]),
    databases: z.array(SeedDatabase).default([]),
    tokens: z.array(SeedToken).default([]),
  })
  .superRefine(({ slug, members, groups, databases, tokens }, context) => {
    const report = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    const longest = longestName(slug);
    for (const [kind, list] of Object.entries({ groups, databases }))
      for (const [index, { name }] of list.entries())
        if (name.length > longest) report([kind, index, "name"], `must contain between 1 and ${longest} characters`);
    for (const [index, { group }] of databases.entries())
      if (!groupOf(groups, group)) report(["databases", index, "group"], `no group "${group}" in this organization`);
    for (const [index, { user, group, scopes }] of tokens.entries()) {
      if (!members.some(({ username }) => username === user))
        report(["tokens", index, "user"], `"${user}" is no member of this organization`);
      if ((group === undefined) !== (scopes === undefined))
        report(["tokens", index], "a group-scoped token has both a group and scopes");
      if (group === undefined) continue;
      const home = groupOf(groups, group);
      if (!home) report(["tokens", index, "group"], `no group "${group}" in this organization`);
      if (home?.deleted_at) report(["tokens", index, "group"], `group "${group}" is deleted, and its tokens with it`);
    }
    if (!members.some(({ role }) => role === "owner" || role === "admin"))
      report(["members"], "at least one member must be an owner or admin");
  });

/** What a store holds before the first request. */
export const Seed = z
  .strictObject({ users: z.array(SeedUser).min(1), organizations: z.array(SeedOrganization).min(1) })
  .superRefine(({ users, organizations }, context) => {
    for (const [at, { members }] of organizations.entries())
      for (const [index, { username }] of members.entries())
        if (!users.some((user) => user.username === username))
          context.addIssue({
            code: "custom",
            path: ["organizations", at, "members", index, "username"],
            message: `no user "${username}"`,
          });
    for (const { what, path } of duplicatesIn({ users, organizations }))
      context.addIssue({ code: "custom", path, message: `${what} is there twice` });
  });

export type Seed = z.input<typeof Seed>;
export type SownOrganization = z.output<typeof SeedOrganization>;

export const DEFAULT_SEED: Seed = {
  users: [{ username: "ada", email: "ada@acme.example" }],
  organizations: [
    {
      slug: "acme",
      members: [{ username: "ada", role: "owner" }],
      groups: [{ name: "default", location: "aws-us-east-1" }],
    },
  ],
};
