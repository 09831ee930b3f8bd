import * as z from "zod";
import { Role } from "../../contract/organization";

/**
 * Reads an absent string as `undefined`, and a value that is not a string as `null`. The schema reports values that are
 * not strings.
 */
const text = z.string().nullish().catch(null);

/**
 * Reads a list. An invalid entry becomes an entry with no known fields. An invalid list becomes a list of one such
 * entry.
 */
function list<Shape extends z.ZodRawShape>(shape: Shape) {
  const entry = z.object(shape);
  const unknown = () => entry.parse({});
  return z.array(entry.catch(unknown)).catch(() => [unknown()]);
}

const group = { name: text, uuid: text, location: text, other_locations: z.array(text).catch([]), deleted_at: text };

const database = { name: text, uuid: text, group: text, parent: text, branched_at: text, deleted_at: text };

const organization = {
  slug: text,
  type: text,
  id: text,
  members: list({ username: text, role: Role().nullish().catch(null) }),
  invites: list({ email: text }),
  groups: list(group),
  databases: list(database),
  tokens: list({ name: text, user: text, group: text, scopes: z.unknown().optional() }),
};

/** Reads a seed leniently, so that invalid references are reported even if other values do not match the schema. */
export const Readable = z.object({ users: list({ username: text }), organizations: list(organization) });

export type Readable = z.output<typeof Readable>;
export type ReadableOrganization = Readable["organizations"][number];
