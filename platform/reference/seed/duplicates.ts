import { entryNamed } from "./entry-named";
import type { SeedFields } from "./fields";
import { duplicate } from "./messages";
import type { Readable } from "./readable";

type ReadableSeed = Readable<SeedFields>;
export type ReadableOrganization = ReadableSeed["organizations"][number];

type Text = string | null | undefined;

/** A value that must be unique, such as a username or a UUID. */
interface Unique {
  readonly kind: string;
  /** The value to compare. If it is missing or not a string, it never counts as a duplicate. */
  readonly by: Text;
  readonly path: (string | number)[];
  /** Index of the organization in which the value must be unique. Absent if it must be unique in the whole seed. */
  readonly organization?: number;
}

/**
 * Reports each repetition of a value that must be unique. A live database or group may have the same name as a deleted
 * one.
 */
export function duplicatesIn({ users, organizations }: ReadableSeed): { text: string; path: (string | number)[] }[] {
  const known = new Set<string>();
  const all = [
    ...users.map(({ username }, index): Unique => ({ kind: "user", by: username, path: ["users", index, "username"] })),
    ...organizations.flatMap(uniquesIn),
  ];
  return all
    .filter(({ kind, by, organization }) => {
      const key = JSON.stringify([kind, by, organization]);
      return typeof by === "string" && (known.has(key) || !known.add(key));
    })
    .map(({ kind, by, path }) => ({ text: duplicate({ kind, text: String(by) }), path }));
}

function uniquesIn(content: ReadableOrganization, organization: number): Unique[] {
  const { slug, id, members, invites, groups, databases, tokens } = content;
  const at = (...path: (string | number)[]) => ["organizations", organization, ...path];
  const uuid = (kind: string, by: Text, path: (string | number)[]): Unique => ({
    kind: `${kind} UUID`,
    by,
    path,
  });
  return [
    { kind: "organization", by: slug, path: at("slug") },
    uuid("organization", id, at("id")),
    ...members.map(
      ({ username }, index): Unique => ({
        kind: "member",
        by: username,
        path: at("members", index, "username"),
        organization,
      }),
    ),
    ...invites.map(
      ({ email }, index): Unique => ({
        kind: "invite",
        by: email,
        path: at("invites", index, "email"),
        organization,
      }),
    ),
    ...groups.flatMap((group, index) => [
      uuid("group", group.uuid, at("groups", index, "uuid")),
      ...(group.deleted_at === undefined
        ? [{ kind: "group", by: group.name, path: at("groups", index, "name"), organization }]
        : []),
    ]),
    ...databases.flatMap((database, index) => [
      uuid("database", database.uuid, at("databases", index, "uuid")),
      ...(isLiveInSeed(database, groups)
        ? [{ kind: "database", by: database.name, path: at("databases", index, "name"), organization }]
        : []),
    ]),
    // Token names must be unique across all users, because the server prints the tokens by name when it starts.
    ...tokens.map(({ name }, index): Unique => ({ kind: "token", by: name, path: at("tokens", index, "name") })),
  ];
}

export type ReadableDatabase = ReadableOrganization["databases"][number];

const isLiveInSeed = ({ deleted_at, group }: ReadableDatabase, groups: ReadableOrganization["groups"]): boolean =>
  deleted_at === undefined && typeof group === "string" && entryNamed(groups, group)?.deleted_at === undefined;
