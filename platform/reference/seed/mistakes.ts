import * as z from "zod";
import { nameProblem, nameProblemIn } from "../../values/name";
import { GROUP_WITHOUT_SCOPES, SCOPES_WITHOUT_GROUP } from "../messages";
import { ApiError } from "../refusal";
import { assertStorableText } from "../requests/storable-text";
import { entryNamed } from "./entry-named";
import { SeedFields } from "./fields";
import {
  ANCESTOR_OF_ITSELF,
  DELETION_MISSING,
  DUPLICATE_LOCATION,
  duplicate,
  ORGANIZATION_NOT_MANAGED,
  PARENT_MISSING,
  PARENT_NOT_UUID,
  personalMembers,
  referenceMissing,
  TYPE_NOT_PERSONAL,
  tokenGroupDeleted,
  tokenUserNotMember,
  UNKNOWN_KEY,
  userMissing,
} from "./messages";

export interface Mistake {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The path and the message. */
  readonly text: string;
}

/** Converts validation issues into mistakes with their paths. Each unknown key becomes a separate mistake. */
export const mistakesOf = ({ issues }: z.core.$ZodError): Mistake[] =>
  issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => mistakeAt([...issue.path, key], UNKNOWN_KEY))
      : [mistakeAt(issue.path, issue.message)],
  );

const mistakeAt = (path: readonly PropertyKey[], message: string): Mistake => ({
  path,
  message,
  text: [...path.map(String), message].join(": "),
});

type Token = ReadableOrganization["tokens"][number];

type PathAndMessage = readonly [path: readonly (string | number)[], message: string];

/** Reports mistakes that involve several fields. Invalid fields are skipped, because the schema reports them. */
export function reportMistakes(seed: unknown, context: z.core.$RefinementCtx): void {
  if (typeof seed !== "object" || seed === null || Array.isArray(seed)) return;
  const readableSeed = readable(SeedFields, seed);
  const { users, organizations } = readableSeed;
  const usernames = users.map(({ username }) => username);
  const mistakes = [
    ...organizations.flatMap(({ slug, type, members }, at) => [
      ...mistakeUnless(
        type !== "team" || !slug || !usernames.includes(slug),
        ["organizations", at, "type"],
        TYPE_NOT_PERSONAL,
      ),
      ...members.flatMap(({ username }, index) =>
        mistakeUnless(
          isAmong(usernames, username),
          ["organizations", at, "members", index, "username"],
          userMissing({ username: String(username) }),
        ),
      ),
    ]),
    ...organizations.flatMap((organization, at) =>
      mistakesIn(organization).map(([path, message]): PathAndMessage => [["organizations", at, ...path], message]),
    ),
    ...mistakesInUniques(readableSeed).map(({ text, path }): PathAndMessage => [path, text]),
  ];
  for (const [path, message] of [...mistakes, ...mistakesInTexts(seed)])
    context.addIssue({ code: "custom", path: [...path], message });
}

/**
 * Checks all keys and strings in a value. For an invalid key, reports the path of the enclosing object, because the key
 * itself must not be printed. Visits each object only once, because YAML aliases can form cycles.
 */
function mistakesInTexts(value: unknown, path: PathAndMessage[0] = [], seen = new Set<object>()): PathAndMessage[] {
  if (typeof value === "string") return textMistakes(value, path);
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([key, each]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return [...textMistakes(key, path), ...mistakesInTexts(each, at, seen)];
  });
}

function textMistakes(text: string, path: PathAndMessage[0]): PathAndMessage[] {
  try {
    assertStorableText(text);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    return [[path, thrown.message]];
  }
}

/**
 * Returns whether `texts` includes `wanted`. Also returns `true` if `wanted` or an entry is not a string, because the
 * schema already reports such values.
 */
const isAmong = (texts: readonly (string | null | undefined)[], wanted: string | null | undefined): boolean =>
  typeof wanted !== "string" || texts.some((text) => typeof text !== "string" || text === wanted);

const isReadable = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined;

function mistakesIn(organization: ReadableOrganization): PathAndMessage[] {
  const { slug, type, members, groups, databases, tokens } = organization;
  const roles = members.map(({ role }) => role);
  const isOwnedBy = (name: string) =>
    members.length === 1 && isAmong([name], members[0]?.username) && isAmong(["owner"], roles[0]);
  return [
    ...mistakeUnless(
      type !== "personal" || !slug || isOwnedBy(slug),
      ["members"],
      personalMembers({ slug: String(slug) }),
    ),
    ...mistakeUnless(isAmong(roles, "owner") || isAmong(roles, "admin"), ["members"], ORGANIZATION_NOT_MANAGED),
    ...Object.entries({ groups, databases }).flatMap(([kind, list]) =>
      list.flatMap(({ name }, index) => mistakesInLength(name, slug, [kind, index, "name"])),
    ),
    ...groups.flatMap(({ location, other_locations }, index) =>
      mistakesInLocations([location, ...other_locations], ["groups", index, "other_locations"]),
    ),
    ...databases.flatMap((database, index) => mistakesInDatabase(database, organization, ["databases", index])),
    ...tokens.flatMap((token, index) => mistakesInToken(token, organization, ["tokens", index])),
  ];
}

/**
 * Checks the length of a name. The maximum depends on the organization's slug, because a hostname contains both. Names
 * that are invalid for another reason are skipped, because other checks report them.
 */
function mistakesInLength(
  name: string | null | undefined,
  slug: string | null | undefined,
  at: PathAndMessage[0],
): PathAndMessage[] {
  if (!isReadable(name) || !isReadable(slug) || nameProblem(name) || nameProblem(slug)) return [];
  const problem = nameProblemIn(name, slug);
  return problem === undefined ? [] : [[at, problem]];
}

function mistakesInLocations(
  locations: readonly (string | null | undefined)[],
  at: PathAndMessage[0],
): PathAndMessage[] {
  const readable = locations.filter(isReadable);
  return mistakeUnless(new Set(readable).size === readable.length, at, DUPLICATE_LOCATION);
}

type Thing = Parameters<typeof entryNamed>[0][number];

function mistakesInReference(
  kind: string,
  things: readonly Thing[],
  wanted: Thing["name"],
  at: PathAndMessage[0],
): PathAndMessage[] {
  const names = things.map(({ name }) => name);
  const isThere = !isReadable(wanted) || entryNamed(things, wanted) !== undefined || !names.every(isReadable);
  return mistakeUnless(isThere, at, referenceMissing({ kind, name: String(wanted) }));
}

function mistakesInDatabase(
  database: ReadableDatabase,
  { groups, databases }: ReadableOrganization,
  at: PathAndMessage[0],
) {
  const { group, parent, parent_name, branched_at, deleted_at, group_deleted_at } = database;
  const home = isReadable(group) ? entryNamed(groups, group) : undefined;
  return [
    ...mistakesInReference("group", groups, group, [...at, "group"]),
    ...(parent_name === undefined
      ? mistakesInReference("database", databases, parent, [...at, "parent"])
      : mistakeUnless(!isReadable(parent) || z.guid().safeParse(parent).success, [...at, "parent"], PARENT_NOT_UUID)),
    ...mistakeUnless(!descendsFromItself(database, databases), [...at, "parent"], ANCESTOR_OF_ITSELF),
    ...Object.entries({ parent_name, branched_at }).flatMap(([field, value]) =>
      mistakeUnless(parent !== undefined || value === undefined, [...at, field], PARENT_MISSING),
    ),
    ...mistakeUnless(
      deleted_at !== undefined || group_deleted_at === undefined,
      [...at, "group_deleted_at"],
      DELETION_MISSING,
    ),
    ...mistakesInLocations(
      [home?.location, ...(home?.other_locations ?? []), ...database.added_locations],
      [...at, "added_locations"],
    ),
  ];
}

function descendsFromItself(database: ReadableDatabase, databases: readonly ReadableDatabase[]): boolean {
  const seen = new Set<ReadableDatabase>();
  const parentOf = ({ parent }: ReadableDatabase) => (isReadable(parent) ? entryNamed(databases, parent) : undefined);
  for (let ancestor = parentOf(database); ancestor && !seen.has(ancestor); ancestor = parentOf(ancestor)) {
    if (ancestor === database) return true;
    seen.add(ancestor);
  }
  return false;
}

function mistakesInToken(
  token: Token,
  { members, groups }: ReadableOrganization,
  at: PathAndMessage[0],
): PathAndMessage[] {
  const { user, group, scopes, usable } = token;
  const usernames = members.map(({ username }) => username);
  const home = isReadable(group) ? entryNamed(groups, group) : undefined;
  return [
    ...mistakeUnless(
      usable === false || isAmong(usernames, user),
      [...at, "user"],
      tokenUserNotMember({ username: String(user) }),
    ),
    ...mistakeUnless(group !== undefined || scopes === undefined, at, SCOPES_WITHOUT_GROUP),
    ...mistakeUnless(group === undefined || scopes !== undefined, at, GROUP_WITHOUT_SCOPES),
    ...mistakesInReference("group", groups, group, [...at, "group"]),
    ...mistakeUnless(!isReadable(home?.deleted_at), [...at, "group"], tokenGroupDeleted({ group: String(group) })),
  ];
}

const mistakeUnless = (right: boolean, path: PathAndMessage[0], message: string): PathAndMessage[] =>
  right ? [] : [[path, message]];

type ReadableSeed = ReadableValue<SeedFields>;
type ReadableOrganization = ReadableSeed["organizations"][number];

type Text = string | null | undefined;

/** A value that must be unique, such as a username or a UUID. */
interface UniqueValue {
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
function mistakesInUniques({ users, organizations }: ReadableSeed): { text: string; path: (string | number)[] }[] {
  const known = new Set<string>();
  const all = [
    ...users.map(
      ({ username }, index): UniqueValue => ({ kind: "user", by: username, path: ["users", index, "username"] }),
    ),
    ...organizations.flatMap(uniquesIn),
  ];
  return all
    .filter(({ kind, by, organization }) => {
      const key = JSON.stringify([kind, by, organization]);
      return typeof by === "string" && (known.has(key) || !known.add(key));
    })
    .map(({ kind, by, path }) => ({ text: duplicate({ kind, text: String(by) }), path }));
}

function uniquesIn(content: ReadableOrganization, organization: number): UniqueValue[] {
  const { slug, id, members, invites, groups, databases, tokens } = content;
  const at = (...path: (string | number)[]) => ["organizations", organization, ...path];
  const tokenKey = ({ user, name }: Pick<Token, "user" | "name">) => JSON.stringify([user, name]);
  const listedOnly = new Set(tokens.filter(({ usable }) => usable === false).map(tokenKey));
  const uuid = (kind: string, by: Text, path: (string | number)[]): UniqueValue => ({
    kind: `${kind} UUID`,
    by,
    path,
  });
  return [
    { kind: "organization", by: slug, path: at("slug") },
    uuid("organization", id, at("id")),
    ...members.map(
      ({ username }, index): UniqueValue => ({
        kind: "member",
        by: username,
        path: at("members", index, "username"),
        organization,
      }),
    ),
    ...invites.flatMap(({ id, email }, index): UniqueValue[] => [
      { kind: "invite", by: email, path: at("invites", index, "email"), organization },
      { kind: "invite id", by: isReadable(id) ? String(id) : undefined, path: at("invites", index, "id") },
    ]),
    ...groups.flatMap((group, index) => [
      uuid("group", group.uuid, at("groups", index, "uuid")),
      ...(group.deleted_at === undefined
        ? [{ kind: "group", by: group.name, path: at("groups", index, "name"), organization }]
        : []),
    ]),
    ...databases.flatMap((database, index) => [
      uuid("database", database.uuid, at("databases", index, "uuid")),
      ...(isLive(database, groups)
        ? [{ kind: "database", by: database.name, path: at("databases", index, "name"), organization }]
        : []),
    ]),
    ...tokens.flatMap(({ id, name, user, usable }, index): UniqueValue[] => {
      const path = at("tokens", index, "name");
      return [
        { kind: "token id", by: id, path: at("tokens", index, "id") },
        // Across all users, because the server prints the tokens by name when it starts.
        ...(usable === false ? [] : [{ kind: "token", by: name, path }]),
        ...(listedOnly.has(tokenKey({ user, name })) ? [{ kind: `token of ${user}`, by: name, path }] : []),
      ];
    }),
  ];
}

type ReadableDatabase = ReadableOrganization["databases"][number];

const isLive = ({ deleted_at, group }: ReadableDatabase, groups: ReadableOrganization["groups"]): boolean =>
  deleted_at === undefined && typeof group === "string" && entryNamed(groups, group)?.deleted_at === undefined;

/**
 * A value of which some parts may have the wrong type. A text is `undefined` if it is absent, and `null` if it is not
 * one of the texts that the schema allows by type.
 */
type ReadableValue<Value> = [Value] extends [string | undefined]
  ? Value | null | undefined
  : Value extends readonly (infer Entry)[]
    ? ReadableValue<Entry>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: ReadableValue<Value[Name]> }
      : unknown;

/**
 * Reads a value as far as it has the types of the schema, so that rules about several fields can be checked although
 * the schema reports mistakes elsewhere. An entry that is not an object becomes an entry without fields, and a list that
 * is not a list becomes a list of one such entry. Nothing would keep a second, lenient schema in step with the first.
 */
const readable = <Schema extends z.ZodType>(schema: Schema, value: unknown) =>
  readLeniently(schema, value) as ReadableValue<z.output<Schema>>;

function readLeniently(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodDefault) return readLeniently(schema.unwrap(), value);
  if (schema instanceof z.ZodOptional) return value === undefined ? undefined : readLeniently(schema.unwrap(), value);
  if (schema instanceof z.ZodArray)
    return (Array.isArray(value) ? value : [undefined]).map((entry) => readLeniently(schema.element, entry));
  if (schema instanceof z.ZodObject) {
    const fields = Object(value) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(schema.shape).map(([name, inner]) => [name, readLeniently(inner, fields[name])]),
    );
  }
  if (schema instanceof z.ZodBoolean || schema instanceof z.ZodNumber)
    return value === undefined || schema.safeParse(value).success ? value : null;
  const isText = typeof value === "string" && !(schema instanceof z.ZodEnum && !schema.options.includes(value));
  return isText || value === undefined ? value : null;
}
