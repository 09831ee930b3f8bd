import { basename } from "node:path";
import * as z from "zod";
import { Refusal } from "../../../kit/refusal";
import { canonicalUuid } from "../../../platform/values/uuid";
import { withoutSecrets } from "../../client/http/redact";
import type { PlatformContext } from "../../platform";
import { uploadDump } from "./dump";
import type { Encryption } from "./encryption";

/** The initial content of a new database. Exactly one of `database`, `dumpFile` and `dumpUrl` must be set. */
export const Seed = z
  .strictObject({
    database: z.string().optional().describe("The database to copy: its DbId (`database.dbId`) or its name."),
    timestamp: z
      .string()
      .optional()
      .describe(
        "Copy `database` as it was at this time (RFC 3339), as far back as the plan keeps history. Default: the time of creation.",
      ),
    dumpFile: z
      .string()
      .optional()
      .describe(
        "Path of a dump to upload, relative to the folder in which Pulumi runs the program. The state holds the path, not the content.",
      ),
    dumpUrl: z
      .string()
      .optional()
      .describe(
        "Address (http or https) of a dump that the platform fetches. An address with a query, a fragment, a user name or a password is kept as a secret.",
      ),
  })
  .meta({ typeName: "DatabaseSeed" });

export type Seed = z.output<typeof Seed>;

/** The source of a copied database, taken from the copy's record. */
export interface Seeded {
  readonly parent?: { readonly dbId: string; readonly name: string } | undefined;
}

/**
 * Returns whether two seeds have the same source. A dump file's folder and a URL's user name, password, query and
 * fragment are ignored, because they can change while the dump stays the same.
 */
export const sameSeed = (wanted: Seed, observed: Seed | undefined, found: Seeded): boolean =>
  wanted.database === undefined
    ? fileName(wanted) === fileName(observed) && address(wanted) === address(observed)
    : madeFrom(wanted, found) && instant(wanted) === instant(observed);

/**
 * Returns whether the parent in a database's record matches this seed. Unless the seed is a database, the record must
 * have no parent.
 */
export const madeFrom = (seed: Seed | undefined, { parent }: Seeded): boolean =>
  seed?.database === undefined
    ? parent === undefined
    : parent !== undefined && (parent.dbId === canonicalUuid(seed.database) || parent.name === seed.database);

/**
 * Converts a seed to the form that the platform accepts: a database is identified by name, and a dump file is uploaded
 * and replaced by its address.
 */
export async function preparedSeed(seed: Seed, context: PlatformContext): Promise<Seed> {
  const { api } = context.platform;
  if (seed.dumpFile !== undefined) return { dumpUrl: await uploadDump(seed.dumpFile, context) };
  const databaseId = canonicalUuid(seed.database ?? "");
  if (databaseId === undefined) return seed;
  const { database } = await api.retrieveDatabaseById({ databaseId });
  return { ...seed, database: database.Name };
}

/** Converts a prepared seed to the wire format (wire-facts 3.3). */
export const wireSeed = ({ database, timestamp, dumpUrl }: Seed) =>
  database === undefined
    ? ({ type: "dump", url: dumpUrl } as const)
    : ({ type: "database", name: database, timestamp } as const);

/**
 * Returns a `catch` handler that removes secrets from the error message and rethrows the error. The platform's message
 * may contain the URL of a dump or the key of an encrypted database.
 */
export const withoutSecretsOf =
  ({ seed, encryption }: { readonly seed?: Seed | undefined; readonly encryption?: Encryption | undefined }) =>
  (failure: unknown): never => {
    const secrets = [...(encryption ? [encryption.key] : []), ...secretsIn(seed?.dumpUrl ?? "")];
    if (!(failure instanceof Refusal) || secrets.length === 0) throw failure;
    const { kind, status, code, uncertain, message } = failure;
    throw new Refusal(kind, { answer: withoutSecrets(message, secrets), status, code, uncertain });
  };

/**
 * Returns the strings in a URL that may be credentials: user name, password, query string, query values and fragment.
 * The caller removes them from messages in this order. The query string precedes its values, because it would no longer
 * match after one of them was removed.
 */
export function secretsIn(text: string): string[] {
  const url = URL.parse(text);
  if (!url) return [];
  const { username, password, search, hash, searchParams } = url;
  const user = username || password ? `${username}:${password}@` : "";
  const written = [search, hash, user, username, password, ...[...searchParams.values()].map(encodeURIComponent)];
  const whole = [search, hash, user].filter(Boolean);
  return [...whole, ...[...written, ...written.map(decoded)].filter(({ length }) => length >= SHORTEST_SECRET)];
}

/**
 * Minimum length of a secret that is removed from messages. A shorter string is not removed, because it could occur in
 * any sentence.
 */
const SHORTEST_SECRET = 6;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the seed's timestamp in milliseconds, or 0 if the seed has no timestamp. */
export const instant = (seed: Seed | undefined): number =>
  seed?.timestamp === undefined ? 0 : Date.parse(seed.timestamp);

const fileName = (seed: Seed | undefined) => seed?.dumpFile && basename(seed.dumpFile);

function address(seed: Seed | undefined): string | undefined {
  const url = seed?.dumpUrl === undefined ? undefined : URL.parse(seed.dumpUrl);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : undefined;
}
