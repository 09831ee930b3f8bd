import * as z from "zod";
import { Refusal, unlessAbsent } from "../../../platform/client/refusal";
import { addressProblem, sameAddress, vpcEndpointProblem } from "../../../platform/values/address";
import { sameSet } from "../../../platform/values/set";
import type { ResourceContext } from "../../resource/context";
import { resource } from "../../resource/definition";
import { credentialLacks, firstFailure } from "../../resource/preflight";
import { renaming } from "../../resource/renaming";
import type { Problem, Semantics } from "../../resource/traits";
import { mustSeeEveryGroup } from "../group/reference";
import { readThroughOwner } from "../recovery/owner";
import { database } from "./database";
import { databaseMissing, databaseReference, dbIdOf } from "./reference";
import { size } from "./size";

const args = z.object({
  database: z.string().describe("DbId of the database (`database.dbId`)."),
  sizeLimit: z
    .string()
    .optional()
    .describe('Largest size of the database: whole bytes, or a number with a unit ("256mb", "1gb"). Empty: no limit.'),
  allowAttach: z.boolean().optional().describe("Whether other databases may be attached to this one."),
  blockReads: z.boolean().optional().describe("Whether every read is refused."),
  blockWrites: z.boolean().optional().describe("Whether every write is refused."),
  deleteProtection: z.boolean().optional().describe("Whether the platform refuses to delete the database."),
  allowedIps: z
    .array(z.string())
    .optional()
    .describe("IP addresses and CIDR blocks, of IPv4 and IPv6, that alone may connect. `[]`: no restriction."),
  allowedAwsVpcIds: z
    .array(z.string())
    .optional()
    .describe("AWS VPC endpoints (`vpce-…`) that alone may connect. `[]`: no restriction."),
});

const state = z.object({
  ...args.required().shape,
  groupId: z.uuid().optional().describe("UUID of the group that holds the database, once it was looked at."),
  organizationId: z.uuid().describe("UUID of the organization that owns the database."),
});

type ConfigurationArgs = z.output<typeof args>;
type ConfigurationState = ConfigurationArgs & { groupId?: string | undefined; organizationId: string };

/** The seven settings, in our own names. */
export const settingFields = args.omit({ database: true }).required().shape;

export const configurationNames = renaming({
  sizeLimit: "size_limit",
  allowAttach: "allow_attach",
  blockReads: "block_reads",
  blockWrites: "block_writes",
  deleteProtection: "delete_protection",
  allowedIps: "allowed_ips",
  allowedAwsVpcIds: "allowed_aws_vpc_ids",
});

/** What a database has where nothing was ever set. */
export const UNCONFIGURED = {
  sizeLimit: "",
  allowAttach: false,
  blockReads: false,
  blockWrites: false,
  deleteProtection: false,
  allowedIps: [],
  allowedAwsVpcIds: [],
};

const listOf = (
  property: string,
  problemOf: (text: string) => string | undefined,
  same?: (one: string, other: string) => boolean,
): Semantics<string[], ConfigurationState> => ({
  validate: (list) =>
    list
      .map((text, index) => ({ property: `${property}[${index}]`, reason: problemOf(text) }))
      .find((problem): problem is Problem => problem.reason !== undefined),
  semanticallyEqual: (wanted, observed = []) => sameSet(wanted, observed, same),
});

export const databaseConfiguration = resource<ConfigurationArgs, ConfigurationState>({
  type: "DatabaseConfiguration",
  description:
    "The configuration of one database. What is left out is not managed; what is taken out of the program goes back to the platform's default. Deleting this resource changes nothing on the platform: what it has restricted stays restricted.",
  args,
  state,
  owned: { type: "Database", id: "database", isPart: true },
  traits: {
    database: { requiresReplace: true, semantics: databaseReference },
    sizeLimit: {
      default: UNCONFIGURED.sizeLimit,
      semantics: size,
    },
    allowAttach: { default: UNCONFIGURED.allowAttach },
    blockReads: { default: UNCONFIGURED.blockReads },
    blockWrites: { default: UNCONFIGURED.blockWrites },
    deleteProtection: { default: UNCONFIGURED.deleteProtection },
    allowedIps: {
      default: UNCONFIGURED.allowedIps,
      semantics: listOf("allowedIps", addressProblem, sameAddress),
    },
    allowedAwsVpcIds: {
      default: UNCONFIGURED.allowedAwsVpcIds,
      semantics: listOf("allowedAwsVpcIds", vpcEndpointProblem),
    },
  },

  identify: (id, platform) => database.identify(id, platform),

  async read(id, known, from, platform) {
    const { client, organization } = platform;
    const reading = await database.read(
      id,
      known && { groupId: known.groupId, organizationId: known.organizationId },
      from,
      platform,
    );
    if (reading.status === "absent") {
      if (known && known.groupId === undefined) mustSeeEveryGroup(id, platform);
      return reading;
    }
    // Deleted with its database, and back with it: there is nothing to look at meanwhile.
    if (reading.status === "deleted" && known)
      return readThroughOwner({ kind: database, id, reading }, known, () => ({}), platform);
    if (reading.status === "deleted")
      throw new Refusal("conflict", { answer: reading.message, advice: "Restore the database first" });
    const configuration = await client
      .retrieveDatabaseConfiguration({
        organizationSlug: organization.slug,
        databaseName: String(reading.state.name),
      })
      .catch(unlessAbsent);
    const groupId = String(reading.state.groupId);
    if (configuration) return { status: "live", state: { ...(await stateOf(id, configuration, platform)), groupId } };
    // Renamed or deleted a moment ago: the list that named it was too old.
    if (from === "snapshot") return this.read(id, known, "platform", platform);
    throw new Refusal("unavailable", { answer: `database ${id} is live, but its configuration is not there` });
  },

  // Every living database has one, under its id.
  async *list(query, platform) {
    for await (const { id, name } of database.list?.(query, platform) ?? []) yield { id, name, parent: id };
  },

  async create(wanted, platform) {
    const id = dbIdOf(wanted.database);
    return { id, state: await send(id, wanted, platform) };
  },

  async update(id, { groupId }, changes, platform) {
    return { ...(await send(id, changes, platform)), groupId };
  },

  preflight: {
    create: ({ database: wanted }, platform) =>
      firstFailure(
        () => (wanted === undefined ? undefined : databaseMissing(wanted, platform)),
        () => credentialLacks("updateDatabaseConfiguration", platform),
      ),
    update: (id, _observed, _changes, platform) =>
      firstFailure(
        () => databaseMissing(id, platform),
        () => credentialLacks("updateDatabaseConfiguration", platform),
      ),
  },

  async delete(id, observed, { warn }) {
    const restrictions = Object.entries(UNCONFIGURED)
      .map(([property, value]) => [property, observed[property as keyof typeof UNCONFIGURED], value] as const)
      .filter(([, is, without]) => is !== undefined && JSON.stringify(is) !== JSON.stringify(without))
      .map(([property, is]) => `${property}: ${JSON.stringify(is)}`);
    if (restrictions.length > 0)
      warn(`The configuration of database ${id} stays as it is and is no longer managed: ${restrictions.join(", ")}.`);
  },
});

async function send(
  id: string,
  changes: Partial<ConfigurationArgs>,
  platform: ResourceContext,
): Promise<ConfigurationState> {
  const { client, organization } = platform;
  const databaseName = await nameOf(id, platform);
  const at = { organizationSlug: organization.slug, databaseName };
  const body = configurationNames.toWire(changes);
  const configuration =
    Object.keys(body).length === 0
      ? await client.retrieveDatabaseConfiguration(at)
      : await client.updateDatabaseConfiguration({ ...at, body });
  return stateOf(id, configuration, platform);
}

/** The platform configures by name only, and a name may belong to another database by now. */
async function nameOf(id: string, platform: ResourceContext): Promise<string> {
  const given = platform.names.get(id);
  if (given !== undefined) return given;
  const reading = await database.read(id, undefined, "snapshot", platform);
  if (reading.status === "live") return String(reading.state.name);
  throw new Refusal("absent", { answer: reading.message });
}

async function stateOf(id: string, configuration: object, { client, organization }: ResourceContext) {
  const own = { ...UNCONFIGURED, ...configurationNames.fromWire(configuration) };
  return { ...own, database: id, organizationId: await organization.id(client) } as ConfigurationState;
}
