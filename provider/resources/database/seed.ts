import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { GivenNames } from "../../../kit/context";
import type { Problem } from "../../../kit/field";
import { isRefusal, messageOf, Refusal, unlessAbsent } from "../../../kit/refusal";
import { nameProblem } from "../../../platform/values/name";
import { canonicalUuid } from "../../../platform/values/uuid";
import { conflictsWith, EMPTY, TIMESTAMP_INVALID } from "../../messages";
import { credentialFailure } from "../../permissions/permissions";
import type { PlatformContext } from "../../platform";
import { readEveryDeletedDatabase } from "../deleted-databases";
import { restorableOrHidden } from "../restoration";
import { copyEncryptionProblem, type Encryption } from "./encryption";
import { copyEngineProblem } from "./engine";
import type { LiveDatabaseRecord } from "./live-databases";
import {
  DUMP_PATH_IS_URL,
  DUMP_URL_INVALID,
  dumpEmpty,
  dumpMissing,
  dumpNotFile,
  dumpUnreadable,
  SEED_EMPTY,
  SEED_REPLACED,
  seedDatabaseInvalid,
  seedSourceDeleted,
  seedSourceMissing,
  TIMESTAMP_WITHOUT_DATABASE,
  timestampInFuture,
  uploadFailed,
} from "./messages";

/** The initial content of a new database. Exactly one of `database`, `dumpFile` and `dumpUrl` must be set. */
export const DatabaseSeed = z
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

export type DatabaseSeed = z.output<typeof DatabaseSeed>;

/** The source of a copied database, taken from the copy's record. */
export interface CopyRecord {
  readonly parent?: { readonly dbId: string; readonly name: string } | undefined;
}

/**
 * Returns whether two seeds have the same source. A dump file's folder and a URL's user name, password, query and
 * fragment are ignored, because they can change while the dump stays the same. A source that this update creates also
 * counts as the same: the program refers to it as before, and a preview does not know its id.
 */
export const sameSeed = (
  wanted: DatabaseSeed,
  observed: DatabaseSeed | undefined,
  found: CopyRecord,
  names: GivenNames,
): boolean =>
  isDeepStrictEqual(wanted, observed) ||
  (wanted.database === undefined
    ? dumpFileName(wanted) === dumpFileName(observed) && dumpAddress(wanted) === dumpAddress(observed)
    : (isMadeFromSeed(wanted, found) || isGiven(wanted.database, names)) && instantOf(wanted) === instantOf(observed));

/** Returns whether this update creates or restores the database with this DbId or name. */
const isGiven = (source: string, names: GivenNames): boolean => {
  const id = canonicalUuid(source);
  return (id && names.of("Database", id) !== undefined) || names.idsOf("Database", source).length > 0;
};

/**
 * Returns whether the parent in a database's record matches this seed. Unless the seed is a database, the record must
 * have no parent.
 */
export const isMadeFromSeed = (seed: DatabaseSeed | undefined, { parent }: CopyRecord): boolean =>
  seed?.database === undefined
    ? parent === undefined
    : parent !== undefined && (parent.dbId === canonicalUuid(seed.database) || parent.name === seed.database);

/**
 * Converts a seed to the form that the platform accepts: a database is identified by name, and a dump file is uploaded
 * and replaced by its address.
 */
export async function prepareSeed(seed: DatabaseSeed, context: PlatformContext): Promise<DatabaseSeed> {
  const { api } = context.platform;
  if (seed.dumpFile !== undefined) return { dumpUrl: await uploadDump(seed.dumpFile, context) };
  const databaseId = canonicalUuid(seed.database ?? "");
  if (databaseId === undefined) return seed;
  const { database } = await api.retrieveDatabaseById({ databaseId });
  return { ...seed, database: database.Name };
}

/** Converts a prepared seed to the wire format (wire-facts 3.3). */
export const wireSeed = ({ database, timestamp, dumpUrl }: DatabaseSeed) =>
  database === undefined
    ? ({ type: "dump", url: dumpUrl } as const)
    : ({ type: "database", name: database, timestamp } as const);

/**
 * Returns a `catch` handler that removes secrets from the error message and rethrows the error. The platform's message
 * may contain the URL of a dump or the key of an encrypted database.
 */
export const withoutSecretsOf =
  ({ seed, encryption }: { readonly seed?: DatabaseSeed | undefined; readonly encryption?: Encryption | undefined }) =>
  (failure: unknown): never => {
    const secrets = [...(encryption ? [encryption.key] : []), ...secretsInAddress(seed?.dumpUrl ?? "")];
    if (!(failure instanceof Refusal) || secrets.length === 0) throw failure;
    const { kind, status, code, uncertain, message } = failure;
    throw new Refusal(kind, { answer: withoutSecrets(message, secrets), status, code, uncertain });
  };

/** Removes secrets from text, including a secret whose end was replaced by `…` when the text was shortened. */
const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => withoutBeginning(shown.replaceAll(secret, HIDDEN), secret), text);

const HIDDEN = "[hidden]";

function withoutBeginning(text: string, secret: string): string {
  for (let length = secret.length - 1; length > 0; length--) {
    const cut = `${secret.slice(0, length)}…`;
    if (text.includes(cut)) return text.replaceAll(cut, `${HIDDEN}…`);
  }
  return text;
}

/**
 * Returns the strings in a URL that may be credentials: user name, password, query string, query values and fragment.
 * The caller removes them from messages in this order. The query string precedes its values, because it would no longer
 * match after one of them was removed.
 */
function secretsInAddress(text: string): string[] {
  const url = URL.parse(text);
  if (!url) return [];
  const { username, password, search, hash, searchParams } = url;
  const user = username || password ? `${username}:${password}@` : "";
  const written = [search, hash, user, username, password, ...[...searchParams.values()].map(encodeURIComponent)];
  const whole = [search, hash, user].filter(Boolean);
  return [...whole, ...[...written, ...written.map(percentDecoded)].filter(({ length }) => length >= SHORTEST_SECRET)];
}

/**
 * Minimum length of a secret that is removed from messages. A shorter string is not removed, because it could occur in
 * any sentence.
 */
const SHORTEST_SECRET = 6;

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the seed's timestamp in milliseconds, or 0 if the seed has no timestamp. */
const instantOf = (seed: DatabaseSeed | undefined): number =>
  seed?.timestamp === undefined ? 0 : Date.parse(seed.timestamp);

const dumpFileName = (seed: DatabaseSeed | undefined) => seed?.dumpFile && basename(seed.dumpFile);

function dumpAddress(seed: DatabaseSeed | undefined): string | undefined {
  const url = seed?.dumpUrl === undefined ? undefined : URL.parse(seed.dumpUrl);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : undefined;
}

const SOURCES = ["database", "dumpFile", "dumpUrl"] as const;

type Asked = PlatformContext & {
  readonly gone: string | undefined;
  readonly replaced: unknown;
  readonly beside: { readonly encryption?: unknown; readonly engine?: unknown; readonly keepData?: unknown };
};

/** Options of an input that is a seed. They validate it, and check whether its source can be used. */
export const seedOptions = {
  valid(wanted: DatabaseSeed) {
    const [source, another] = SOURCES.filter((name) => wanted[name] !== undefined);
    if (source === undefined) return SEED_EMPTY;
    if (another) return seedProblem(another, conflictsWith({ other: source }));
    return timestampProblem(wanted) ?? sourceProblem(wanted);
  },

  secret: ({ dumpUrl = "" }: DatabaseSeed) => secretsInAddress(dumpUrl).length > 0,

  async preflight(wanted: DatabaseSeed, context: Asked) {
    const { gone, beside } = context;
    const { database, dumpFile, timestamp } = wanted;
    if (beside.keepData === true && context.replaced) return undefined;
    const lacking = credentialFailure([...(database ? ["retrieveDatabase" as const] : []), "createDatabase"], context);
    if (lacking) return { property: "seed", ...lacking };
    if (dumpFile !== undefined) {
      const reason = await dumpProblem(dumpFile);
      return reason === undefined ? undefined : seedProblem("dumpFile", reason);
    }
    if (database === undefined) return undefined;
    const { reason, live } = await retrieveSource(database, context, gone);
    if (reason) return seedProblem("database", reason);
    const problem = live && copyEncryptionProblem(live, beside.encryption);
    if (problem) return { property: "encryption", reason: problem };
    const otherEngine = live && copyEngineProblem(live, beside.engine);
    if (otherEngine) return { property: "engine", reason: otherEngine };
    // Adds one second, because the platform's clock is accurate only to the second.
    const now = context.platform.clock.now() + 1000;
    return timestamp !== undefined && instantOf(wanted) > now
      ? seedProblem("timestamp", timestampInFuture({ text: timestamp }))
      : undefined;
  },
};

const seedProblem = (property: keyof DatabaseSeed, reason: string): Problem => ({
  property: `seed.${property}`,
  reason,
});

function timestampProblem({ database, timestamp }: DatabaseSeed): Problem | undefined {
  if (timestamp === undefined) return undefined;
  if (database === undefined) return seedProblem("timestamp", TIMESTAMP_WITHOUT_DATABASE);
  return z.iso.datetime({ offset: true }).safeParse(timestamp).success
    ? undefined
    : seedProblem("timestamp", TIMESTAMP_INVALID);
}

function sourceProblem({ database, dumpFile, dumpUrl }: DatabaseSeed): Problem | undefined {
  if (database !== undefined) {
    const reason = canonicalUuid(database) ? undefined : nameProblem(database);
    return reason === undefined ? undefined : seedProblem("database", seedDatabaseInvalid({ reason }));
  }
  if (dumpFile !== undefined) {
    if (dumpFile === "") return seedProblem("dumpFile", EMPTY);
    return /^https?:\/\//i.test(dumpFile) ? seedProblem("dumpFile", DUMP_PATH_IS_URL) : undefined;
  }
  // The message omits the address, because the address may contain a credential.
  return /^https?:$/.test(URL.parse(dumpUrl ?? "")?.protocol ?? "")
    ? undefined
    : seedProblem("dumpUrl", DUMP_URL_INVALID);
}

/**
 * Looks up the database to copy. Returns the live database or the reason why it cannot be copied. Returns an empty
 * object if this update creates or restores the database.
 */
async function retrieveSource(
  wanted: string,
  context: PlatformContext,
  gone: string | undefined,
): Promise<{ readonly reason?: string; readonly live?: LiveDatabaseRecord }> {
  const {
    platform: { api, organization, credential },
    run,
  } = context;
  const id = canonicalUuid(wanted);
  const found = id
    ? await api.retrieveDatabaseById({ databaseId: id }).catch(unlessAbsent)
    : await api.retrieveDatabase({ databaseName: wanted }).catch(unlessAbsent);
  if (found && found.database.DbId === gone) return { reason: SEED_REPLACED };
  if (found) return { live: found.database };
  // A database that this update creates or restores counts as existing, because it will exist when the copy is made.
  if (isGiven(wanted, run.names)) return {};

  const { deleted } = await restorableOrHidden(
    async () => (await readEveryDeletedDatabase(context)).find(({ DbId, Name }) => DbId === id || Name === wanted),
    context,
  );
  if (deleted)
    return {
      reason: seedSourceDeleted({
        name: deleted.Name,
        id: deleted.DbId,
        deletedAt: deleted.deleted_at,
        isInStack: context.run.inStack("Database", deleted.DbId),
      }),
    };
  return {
    reason: seedSourceMissing({
      source: id ?? `"${wanted}"`,
      organization: organization.slug,
      pinnedTo: credential.groupId,
    }),
  };
}

/** Returns the reason why the file cannot be used as a dump, or `undefined` if it can. */
async function dumpProblem(path: string): Promise<string | undefined> {
  const whole = resolve(path);
  try {
    const file = await stat(whole);
    if (!file.isFile()) return dumpNotFile({ file: whole });
    return file.size === 0 ? dumpEmpty({ file: whole }) : undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? dumpMissing({ file: whole })
      : dumpUnreadable({ file: whole, reason: code ?? messageOf(cause) });
  }
}

/**
 * Uploads a dump file and returns the address from which the platform can create a database.
 *
 * @throws Refusal if the upload fails. The error never says that a database may have been created, because a failed
 *   upload creates none.
 */
async function uploadDump(path: string, { platform: { api } }: PlatformContext): Promise<string> {
  const whole = resolve(path);
  try {
    const file = new File([await openAsBlob(whole)], basename(whole));
    return (await api.uploadDump({ body: { file } })).dump_url;
  } catch (cause) {
    throw new Refusal(isRefusal(cause) ? cause.kind : "invalid", {
      ...uploadFailed({ file: whole, cause: messageOf(cause) }),
      cause,
    });
  }
}
