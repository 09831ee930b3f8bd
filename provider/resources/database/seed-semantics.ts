import * as z from "zod";
import { unlessAbsent } from "../../../kit/refusal";
import type { Problem, Semantics } from "../../../kit/resource/traits";
import { nameProblem } from "../../../platform/values/name";
import { canonicalUuid } from "../../../platform/values/uuid";
import { credentialLacks } from "../../permissions/permissions";
import type { Platform, PlatformContext } from "../../platform";
import { deletedDatabases } from "../deleted-databases";
import { amongDeleted } from "../restoration";
import { dumpProblem } from "./dump";
import { copyProblem } from "./encryption";
import {
  DUMP_PATH_EMPTY,
  DUMP_PATH_IS_URL,
  DUMP_URL_INVALID,
  SEED_EMPTY,
  SEED_REPLACED,
  seedDatabaseInvalid,
  seedSourceDeleted,
  seedSourceMissing,
  seedSourcesConflict,
  TIMESTAMP_WITHOUT_DATABASE,
  timestampInFuture,
  timestampInvalid,
} from "./messages";
import type { LiveRecord } from "./records";
import { instant, type Seed, type Seeded, sameSeed, secretsIn } from "./seed";

const SOURCES = ["database", "dumpFile", "dumpUrl"] as const;

/** Validates a seed, and checks whether the seed's source can be used. */
export const seeding: Semantics<Seed, Seeded, Platform> = {
  validate(wanted) {
    const [source, another] = SOURCES.filter((name) => wanted[name] !== undefined);
    if (source === undefined) return SEED_EMPTY;
    if (another) return at(another, seedSourcesConflict(source));
    return timestampProblem(wanted) ?? sourceProblem(wanted);
  },

  semanticallyEqual: sameSeed,

  secret: ({ dumpUrl = "" }) => secretsIn(dumpUrl).length > 0,

  async preflight(wanted, context, gone, { encryption }) {
    const { database, dumpFile, timestamp } = wanted;
    const lacking = credentialLacks([...(database ? ["retrieveDatabase" as const] : []), "createDatabase"], context);
    if (lacking) return { property: "seed", ...lacking };
    if (dumpFile !== undefined) {
      const reason = await dumpProblem(dumpFile);
      return reason === undefined ? undefined : at("dumpFile", reason);
    }
    if (database === undefined) return undefined;
    const { reason, live } = await sourceOf(database, context, gone);
    if (reason) return at("database", reason);
    const problem = live && copyProblem(live, encryption);
    if (problem) return { property: "encryption", reason: problem };
    // Adds one second, because the platform's clock is accurate only to the second.
    const now = context.platform.clock.now() + 1000;
    return timestamp !== undefined && instant(wanted) > now ? at("timestamp", timestampInFuture(timestamp)) : undefined;
  },
};

const at = (property: keyof Seed, reason: string): Problem => ({ property: `seed.${property}`, reason });

function timestampProblem({ database, timestamp }: Seed): Problem | undefined {
  if (timestamp === undefined) return undefined;
  if (database === undefined) return at("timestamp", TIMESTAMP_WITHOUT_DATABASE);
  return z.iso.datetime({ offset: true }).safeParse(timestamp).success
    ? undefined
    : at("timestamp", timestampInvalid(timestamp));
}

function sourceProblem({ database, dumpFile, dumpUrl }: Seed): Problem | undefined {
  if (database !== undefined) {
    const reason = canonicalUuid(database) ? undefined : nameProblem(database);
    return reason === undefined ? undefined : at("database", seedDatabaseInvalid(reason));
  }
  if (dumpFile !== undefined) {
    if (dumpFile === "") return at("dumpFile", DUMP_PATH_EMPTY);
    return /^https?:\/\//i.test(dumpFile) ? at("dumpFile", DUMP_PATH_IS_URL) : undefined;
  }
  // The message omits the address, because the address may contain a credential.
  return /^https?:$/.test(URL.parse(dumpUrl ?? "")?.protocol ?? "") ? undefined : at("dumpUrl", DUMP_URL_INVALID);
}

/**
 * Looks up the database to copy. Returns the live database or the reason why it cannot be copied. Returns an empty
 * object if this update creates or restores the database.
 */
async function sourceOf(
  wanted: string,
  context: PlatformContext,
  gone: string | undefined,
): Promise<{ readonly reason?: string; readonly live?: LiveRecord }> {
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
  if ((id && run.names.of("Database", id) !== undefined) || run.names.idsOf("Database", wanted).length > 0) return {};

  const { deleted } = await amongDeleted(
    async () => (await deletedDatabases(context)).find(({ DbId, Name }) => DbId === id || Name === wanted),
    context,
  );
  if (deleted)
    return {
      reason: seedSourceDeleted(
        { name: deleted.Name, id: deleted.DbId, deletedAt: deleted.deleted_at },
        context.run.inStack("Database", deleted.DbId),
      ),
    };
  return { reason: seedSourceMissing(id ?? `"${wanted}"`, organization.slug, credential.groupId) };
}
