import { named } from "./named";

interface Content {
  readonly users: readonly { username: string }[];
  readonly organizations: readonly Organization[];
}

interface Organization {
  readonly slug: string;
  readonly id?: string;
  readonly members: readonly { username: string }[];
  readonly invites: readonly { email: string }[];
  readonly groups: readonly { name: string; uuid?: string; deleted_at?: string }[];
  readonly databases: readonly { name: string; uuid?: string; group: string; deleted_at?: string }[];
  readonly tokens: readonly { name: string }[];
}

/** Something that a seed may have once: in all of it, or in one organization. */
interface Unique {
  readonly what: string;
  readonly path: (string | number)[];
  readonly organization?: number;
}

/** Every second mention of something that can be there once. Names are free again once their bearer is deleted. */
export function duplicatesIn({ users, organizations }: Content): Unique[] {
  const known = new Set<string>();
  const all = [
    ...users.map(({ username }, index) => ({ what: `user "${username}"`, path: ["users", index, "username"] })),
    ...organizations.flatMap(uniquesIn),
  ];
  return all.filter(({ what, organization }: Unique) => {
    const key = JSON.stringify([what, organization]);
    return known.has(key) || !known.add(key);
  });
}

function uniquesIn(
  { slug, id, members, invites, groups, databases, tokens }: Organization,
  organization: number,
): Unique[] {
  const at = (...path: (string | number)[]) => ["organizations", organization, ...path];
  const uuid = (kind: string, text: string | undefined, path: (string | number)[]): Unique[] =>
    text === undefined ? [] : [{ what: `${kind} with the UUID ${text}`, path }];
  const isLiving = (database: Organization["databases"][number]) =>
    database.deleted_at === undefined && named(groups, database.group)?.deleted_at === undefined;
  return [
    { what: `organization "${slug}"`, path: at("slug") },
    ...uuid("organization", id, at("id")),
    ...members.map(({ username }, index) => ({
      what: `member "${username}"`,
      path: at("members", index, "username"),
      organization,
    })),
    ...invites.map(({ email }, index) => ({
      what: `invite of "${email}"`,
      path: at("invites", index, "email"),
      organization,
    })),
    ...groups.flatMap((group, index) => [
      ...uuid("group", group.uuid, at("groups", index, "uuid")),
      ...(group.deleted_at === undefined
        ? [{ what: `group "${group.name}"`, path: at("groups", index, "name"), organization }]
        : []),
    ]),
    ...databases.flatMap((database, index) => [
      ...uuid("database", database.uuid, at("databases", index, "uuid")),
      ...(isLiving(database)
        ? [{ what: `database "${database.name}"`, path: at("databases", index, "name"), organization }]
        : []),
    ]),
    // Whoever mints them: their texts are told by name.
    ...tokens.map(({ name }, index) => ({ what: `token "${name}"`, path: at("tokens", index, "name") })),
  ];
}
