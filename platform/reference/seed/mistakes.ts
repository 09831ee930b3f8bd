import type { z } from "zod";
import { longestName } from "../../values/name";
import { duplicatesIn } from "./duplicates";
import { named } from "./named";

/** As far as the rules over several fields look at it. */
interface Organization {
  readonly slug: string;
  readonly type: string;
  readonly id?: string;
  readonly members: readonly { username: string; role: string }[];
  readonly invites: readonly { email: string }[];
  readonly groups: readonly {
    name: string;
    uuid?: string;
    location: string;
    other_locations: readonly string[];
    deleted_at?: string;
  }[];
  readonly databases: readonly Database[];
  readonly tokens: readonly Token[];
}

interface Token {
  readonly name: string;
  readonly user: string;
  readonly group?: string;
  readonly scopes?: readonly string[];
}

interface Database {
  readonly name: string;
  readonly uuid?: string;
  readonly group: string;
  readonly parent?: string;
  readonly branched_at?: string;
  readonly deleted_at?: string;
}

type Mistake = readonly [path: readonly (string | number)[], message: string];

export function mistakesIn(
  { users, organizations }: { users: readonly { username: string }[]; organizations: readonly Organization[] },
  context: z.core.$RefinementCtx,
): void {
  const isUser = (username: string) => users.some((user) => user.username === username);
  report(context, [
    ...organizations.flatMap(({ slug, type }, at) =>
      unless(
        type === "personal" || !isUser(slug),
        ["organizations", at, "type"],
        "the slug is the name of a user: it can only be that user's personal organization",
      ),
    ),
    ...organizations.flatMap(({ members }, at) =>
      members.flatMap(({ username }, index) =>
        unless(isUser(username), ["organizations", at, "members", index, "username"], `no user "${username}"`),
      ),
    ),
    ...duplicatesIn({ users, organizations }).map(({ what, path }): Mistake => [path, `${what} is there twice`]),
  ]);
}

export function mistakesInOrganization(organization: Organization, context: z.core.$RefinementCtx): void {
  const { slug, type, members, groups, databases } = organization;
  const longest = longestName(slug);
  report(context, [
    ...unless(
      type === "team" || (members.length === 1 && members[0]?.username === slug && members[0].role === "owner"),
      ["members"],
      `a personal organization has one member, its owner "${slug}"`,
    ),
    ...unless(
      members.some(({ role }) => role === "owner" || role === "admin"),
      ["members"],
      "at least one member must be an owner or admin",
    ),
    ...Object.entries({ groups, databases }).flatMap(([kind, list]) =>
      list.flatMap(({ name }, index) =>
        unless(name.length <= longest, [kind, index, "name"], `must contain between 1 and ${longest} characters`),
      ),
    ),
    ...groups.flatMap(({ location, other_locations }, index) =>
      unless(
        new Set([location, ...other_locations]).size === 1 + other_locations.length,
        ["groups", index, "other_locations"],
        "a location is there twice",
      ),
    ),
    ...databases.flatMap((database, index) => mistakesInDatabase(database, organization, ["databases", index])),
    ...organization.tokens.flatMap((token, index) => mistakesInToken(token, organization, ["tokens", index])),
  ]);
}

function mistakesInDatabase(database: Database, { groups, databases }: Organization, at: Mistake[0]): Mistake[] {
  const { group, parent, branched_at } = database;
  return [
    ...unless(named(groups, group), [...at, "group"], `no group "${group}" in this organization`),
    ...unless(
      parent === undefined || named(databases, parent),
      [...at, "parent"],
      `no database "${parent}" in this organization`,
    ),
    ...unless(!descendsFromItself(database, databases), [...at, "parent"], "a database cannot descend from itself"),
    ...unless(parent !== undefined || branched_at === undefined, [...at, "branched_at"], "branched_at needs a parent"),
  ];
}

function descendsFromItself(database: Database, databases: readonly Database[]): boolean {
  const seen = new Set<Database>();
  const parentOf = ({ parent }: Database) => (parent === undefined ? undefined : named(databases, parent));
  for (let ancestor = parentOf(database); ancestor && !seen.has(ancestor); ancestor = parentOf(ancestor)) {
    if (ancestor === database) return true;
    seen.add(ancestor);
  }
  return false;
}

function mistakesInToken({ user, group, scopes }: Token, { members, groups }: Organization, at: Mistake[0]): Mistake[] {
  const isMember = members.some(({ username }) => username === user);
  const home = group === undefined ? undefined : named(groups, group);
  return [
    ...unless(isMember, [...at, "user"], `"${user}" is no member of this organization`),
    ...unless((group === undefined) === (scopes === undefined), at, "a group-scoped token has both a group and scopes"),
    ...unless(group === undefined || home, [...at, "group"], `no group "${group}" in this organization`),
    ...unless(!home?.deleted_at, [...at, "group"], `group "${group}" is deleted, and its tokens with it`),
  ];
}

const unless = (right: unknown, path: Mistake[0], message: string): Mistake[] => (right ? [] : [[path, message]]);

function report(context: z.core.$RefinementCtx, mistakes: readonly Mistake[]): void {
  for (const [path, message] of mistakes) context.addIssue({ code: "custom", path: [...path], message });
}
