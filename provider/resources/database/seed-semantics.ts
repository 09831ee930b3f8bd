import * as z from "zod";
import { unlessAbsent } from "../../../platform/client/refusal";
import { nameProblem } from "../../../platform/values/name";
import { canonicalUuid } from "../../../platform/values/uuid";
import type { ResourceContext } from "../../resource/context";
import { credentialLacks } from "../../resource/preflight";
import type { Problem, Semantics } from "../../resource/traits";
import { deletedDatabases } from "../recovery/deleted-database";
import { amongDeleted } from "../recovery/restoration";
import { dumpProblem } from "./dump";
import { instant, type Seed, type Seeded, sameSeed, secretsIn } from "./seed";

const SOURCES = ["database", "dumpFile", "dumpUrl"] as const;

/** Validates a seed and checks whether its source can be used. */
export const seeding: Semantics<Seed, Seeded> = {
  validate(wanted) {
    const [source, another] = SOURCES.filter((name) => wanted[name] !== undefined);
    if (source === undefined) return "needs what to begin with: `database`, `dumpFile` or `dumpUrl`";
    if (another) return at(another, `a seed has one source, and \`${source}\` is given already`);
    return timestampProblem(wanted) ?? sourceProblem(wanted);
  },

  semanticallyEqual: sameSeed,

  secret: ({ dumpUrl = "" }) => secretsIn(dumpUrl).length > 0,

  async preflight(wanted, context, gone) {
    const { database, dumpFile } = wanted;
    const lacking =
      credentialLacks("createDatabase", context) ??
      (database ? credentialLacks("retrieveDatabase", context) : undefined);
    if (lacking) return { property: "seed", ...lacking };
    if (dumpFile !== undefined) {
      const reason = await dumpProblem(dumpFile);
      return reason === undefined ? undefined : at("dumpFile", reason);
    }
    if (database === undefined) return undefined;
    const reason = await databaseProblem(database, context, gone);
    if (reason) return at("database", reason);
    // The response to the look-up has set the platform's clock, which is exact to the second.
    const now = context.clock.now() + 1000;
    return instant(wanted) > now ? at("timestamp", `"${wanted.timestamp}" is in the future`) : undefined;
  },
};

const at = (property: keyof Seed, reason: string): Problem => ({ property: `seed.${property}`, reason });

function timestampProblem({ database, timestamp }: Seed): Problem | undefined {
  if (timestamp === undefined) return undefined;
  if (database === undefined) return at("timestamp", "only a copy of a `database` can be made as of a moment");
  return z.iso.datetime({ offset: true }).safeParse(timestamp).success
    ? undefined
    : at("timestamp", `"${timestamp}" is no RFC 3339 timestamp: write it like "2026-11-20T08:00:00Z"`);
}

function sourceProblem({ database, dumpFile, dumpUrl }: Seed): Problem | undefined {
  if (database !== undefined) {
    const reason = canonicalUuid(database) ? undefined : nameProblem(database);
    return reason === undefined ? undefined : at("database", `neither a DbId nor a name: ${reason}`);
  }
  if (dumpFile !== undefined) {
    if (dumpFile === "") return at("dumpFile", "a path must not be empty");
    return /^https?:\/\//i.test(dumpFile) ? at("dumpFile", "this is an address: write it as `dumpUrl`") : undefined;
  }
  // The message omits the address, which may contain a credential.
  return /^https?:$/.test(URL.parse(dumpUrl ?? "")?.protocol ?? "")
    ? undefined
    : at("dumpUrl", "this is no http(s) address");
}

async function databaseProblem(
  wanted: string,
  context: ResourceContext,
  gone: string | undefined,
): Promise<string | undefined> {
  const { client, organization, credential, names } = context;
  const id = canonicalUuid(wanted);
  const live = id
    ? await client
        .retrieveDatabaseById({ organizationId: await organization.id(client), databaseId: id })
        .catch(unlessAbsent)
    : await client.retrieveDatabase({ organizationSlug: organization.slug, databaseName: wanted }).catch(unlessAbsent);
  if (live && live.database.DbId === gone)
    return "this is the very database that would be deleted first. Give the new one another `name`: then it is made before the old one goes";
  // A database that this run creates or restores will exist when the copy is made.
  if (live || (id && names.has(id)) || [...names.values()].includes(wanted)) return undefined;

  const { deleted } = await amongDeleted(
    async () => (await deletedDatabases(context)).find(({ DbId, Name }) => DbId === id || Name === wanted),
    context,
  );
  if (deleted)
    return `database "${deleted.Name}" (${deleted.DbId}) was deleted at ${deleted.deleted_at}, and only a living one can be copied: restore it first (\`import: "${deleted.DbId}"\`)`;
  const seen = credential.groupId ? ` that this API token sees, which is pinned to group ${credential.groupId}` : "";
  return `organization "${organization.slug}" has no database ${id ?? `"${wanted}"`}${seen}. If this program makes it, write its \`dbId\` output`;
}
