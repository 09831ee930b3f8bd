import * as z from "zod";
import { whileDeleted } from "../../../kit/resource/outputs";
import { renaming } from "../../../kit/resource/renaming";
import type { PlatformContext } from "../../platform";
import type { DeletedRecord } from "../deleted-databases";
import { deletion } from "../deletion";
import { Encryption } from "./encryption";
import { groupIdOf, type LiveRecord } from "./records";
import { Seed } from "./seed";

export const args = z.object({
  name: z
    .string()
    .optional()
    .describe(
      "Name of the database: lowercase letters, digits and hyphens, unique in the organization. Default: generated from the name of the resource.",
    ),
  group: z.string().describe("The group that holds the database: its UUID (`group.id`) or its name."),
  seed: Seed.optional().describe(
    "Initial content of the database: a copy of another database (`database`, as of `timestamp`) or a dump (`dumpFile`, `dumpUrl`). Used only when the database is created or replaced; changing it later has no effect, and a warning says so. An imported or restored database keeps its own data.",
  ),
  sizeLimit: z
    .string()
    .optional()
    .describe(
      'Maximum size with which the database is created: bytes, or a number with a unit ("256mb", "1gb"). Used only at creation; later changes belong in `sizeLimit` of a DatabaseConfiguration.',
    ),
  encryption: Encryption.optional().describe(
    "Encrypts the data with a key of your own. The platform does not keep the key, so clients send it with every connection; without it nobody can read the data. Removing it from the program changes nothing.",
  ),
});

const Parent = z
  .object({
    dbId: z.uuid().describe("DbId of the database that was copied."),
    name: z.string().describe("Name of that database at the time of the copy."),
    branchedAt: z.iso.datetime().describe("Time of the copied data (RFC 3339)."),
  })
  .meta({ typeName: "DatabaseParent" });

export const state = z.object({
  ...args.required({ name: true }).shape,
  dbId: z.uuid().describe("UUID of the database. It stays the same through deletion and restoration."),
  hostname: z.string().describe("DNS name for client and HTTP connections, without a scheme."),
  url: z.string().describe("Address for libSQL clients: `libsql://` and the hostname."),
  httpUrl: z.string().describe("Address for SQL over HTTP: `https://` and the hostname."),
  groupId: z.uuid().describe("UUID of the group that holds the database."),
  groupName: z.string().describe("Name of the group that holds the database."),
  organizationId: z.uuid().describe("UUID of the organization that owns the database."),
  regions: z.array(z.string()).describe("Codes of the locations of the database."),
  primaryRegion: z.string().describe("Code of the primary location."),
  parent: Parent.optional().describe("The database that this one was copied from, if it was copied."),
  encryptionCipher: z
    .string()
    .optional()
    .describe("Cipher with which the data is encrypted with a key of its own, if it is and if the platform shows it."),
  deletedAt: whileDeleted(deletion.describe.deletedAt),
  restorableUntil: whileDeleted(
    "Time until which the object can be restored (RFC 3339). Present only while it is deleted.",
  ),
  groupDeletedAt: whileDeleted(
    "Time at which the group was deleted together with the database (RFC 3339). Restoring the database restores the group.",
  ),
});

export const databaseFields = state.shape;

export type DatabaseArgs = z.output<typeof args> & { name: string };
export type DatabaseState = z.output<typeof state>;

export const databaseNames = renaming({
  name: "Name",
  dbId: "DbId",
  hostname: "Hostname",
  groupId: "group_id",
  groupName: "group",
  regions: "regions",
  primaryRegion: "primaryRegion",
  encryptionCipher: "encryption_cipher",
  deletedAt: "deleted_at",
  groupDeletedAt: "group_deleted_at",
});

/** Returns the addresses of a database with this hostname. */
export const urlsOf = (hostname: string): Pick<DatabaseState, "url" | "httpUrl"> => ({
  url: `libsql://${hostname}`,
  httpUrl: `https://${hostname}`,
});

/**
 * Converts a database record to the state of the resource. The state's `group` is the group's UUID. `lifecycle/`
 * replaces the UUID with the program's value if that value identifies the same group.
 */
export async function stateOf(record: LiveRecord | DeletedRecord, context: PlatformContext): Promise<DatabaseState> {
  const { organization } = context.platform;
  const group_id = await groupIdOf(record, context);
  const own = databaseNames.fromWire({ ...record, group_id });
  const organizationId = await organization.id();
  const urls = urlsOf(record.Hostname);
  return { ...own, ...urls, ...parentOf(record), group: group_id ?? record.group, organizationId } as DatabaseState;
}

/** Returns the output `parent` of a copied database, or an empty object if the database is not a copy. */
export function parentOf(record: object): Pick<DatabaseState, "parent"> {
  const { parent } = record as Pick<LiveRecord, "parent">;
  return parent ? { parent: { dbId: parent.id, name: parent.name, branchedAt: parent.branched_at } } : {};
}
