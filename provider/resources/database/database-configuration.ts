import * as z from "zod";
import { Refusal, unlessAbsent } from "../../../kit/refusal";
import type { Problem, PropertyTraits, Semantics } from "../../../kit/resource/traits";
import { addressProblem, sameAddress, vpcEndpointProblem } from "../../../platform/values/address";
import { sameSet } from "../../../platform/values/set";
import { auditedBy } from "../../authors";
import { declaredBy, requires } from "../../permissions/permissions";
import { type PlatformContext, resource } from "../../platform";
import { assertSeesEveryGroup } from "../group/reference";
import { readThroughOwner } from "../recovery/owner";
import { configurationNames, type Settings, settings, UNCONFIGURED } from "./configuration-fields";
import { database } from "./database";
import {
  configurationNotFound,
  configurationOfDeleted,
  configurationOfRetained,
  configurationUnmanaged,
} from "./messages";
import { databaseMissing, databaseReference, dbIdOf, referenceMissing } from "./reference";
import { size } from "./size";

const args = z.object({
  database: z.string().describe("DbId of the database (`database.dbId`)."),
  ...settings,
});

const state = z.object({
  ...args.required().shape,
  groupId: z.uuid().optional().describe("UUID of the group that holds the database, once it is known."),
  organizationId: z.uuid().describe("UUID of the organization that owns the database."),
});

type ConfigurationArgs = z.output<typeof args>;
type ConfigurationState = ConfigurationArgs & { groupId?: string | undefined; organizationId: string };

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

type Traits = { [P in keyof Settings]?: PropertyTraits<ConfigurationArgs[P], ConfigurationState> };

/** Adds the platform's default value to the traits of each setting, because every setting has a default. */
const withDefaults = (special: Traits): Traits =>
  Object.fromEntries(
    Object.entries(UNCONFIGURED).map(([name, value]) => [name, { default: value, ...special[name as keyof Settings] }]),
  );

export const databaseConfiguration = resource<ConfigurationArgs, ConfigurationState>({
  type: "DatabaseConfiguration",
  description:
    "The configuration of one database. Omitted properties are not managed; a property that is removed from the program returns to the platform's default. Deleting this resource changes nothing on the platform, so restrictions stay in force.",
  importing: {
    name: "orders",
    id: "<DbId>",
    description: "The id is the DbId of the database.",
  },
  permissions: requires({
    read: [...declaredBy(database).read, "retrieveDatabaseConfiguration"],
    create: ["updateDatabaseConfiguration"],
    update: ["updateDatabaseConfiguration"],
  }),
  args,
  state,
  owned: { type: "Database", id: "database", canonicalId: dbIdOf, isPart: true },
  lasting: {
    idOf: ({ database: wanted }) => (wanted === undefined ? undefined : dbIdOf(wanted)),
    subject: (id) => `database ${id}`,
  },
  traits: {
    database: { requiresReplace: true, semantics: databaseReference },
    ...withDefaults({
      sizeLimit: { semantics: size },
      allowedIps: { semantics: listOf("allowedIps", addressProblem, sameAddress) },
      allowedAwsVpcIds: { semantics: listOf("allowedAwsVpcIds", vpcEndpointProblem) },
    }),
  },

  identify: (id, context) => database.identify(id, context),

  async read(id, known, from, context) {
    const { api } = context.platform;
    const reading = await database.read(
      id,
      known && { groupId: known.groupId, organizationId: known.organizationId },
      from,
      context,
    );
    if (reading.status === "absent") {
      if (known && known.groupId === undefined) assertSeesEveryGroup(id, context);
      return reading;
    }
    // For a deleted database, uses the recorded state, because the platform does not return its configuration.
    if (reading.status === "deleted" && known)
      return readThroughOwner({ kind: database, id, reading }, known, () => ({}), context);
    if (reading.status === "deleted") throw new Refusal("conflict", configurationOfDeleted(id, reading.message));
    const configuration = await api
      .retrieveDatabaseConfiguration({
        databaseName: String(reading.state.name),
      })
      .catch(unlessAbsent);
    const groupId = String(reading.state.groupId);
    if (configuration) return { status: "live", state: { ...(await stateOf(id, configuration, context)), groupId } };
    // Reads the database again, because it may have been renamed or deleted since the list was requested.
    if (from === "snapshot") return this.read(id, known, "platform", context);
    throw new Refusal("unavailable", configurationNotFound(id));
  },

  // Lists one configuration for each live database. The configuration has the same id as the database.
  async *list(query, context) {
    for await (const { id, name } of database.list?.(query, context) ?? []) yield { id, name, parent: id };
  },

  async create(wanted, context) {
    const id = dbIdOf(wanted.database);
    return { id, state: await send(id, wanted, context) };
  },

  async update(id, { groupId }, changes, context) {
    return { ...(await send(id, changes, context)), groupId };
  },

  preflight: {
    create: async ({ database: wanted }, context) =>
      wanted === undefined ? undefined : databaseMissing(wanted, context),
    update: (id, _observed, _changes, context) => databaseMissing(id, context),
  },

  authorsOf: auditedBy({
    async subject(id, _observed, context) {
      const reading = await database.read(id, undefined, "snapshot", context);
      return reading.status === "live" ? { kind: "database", id, name: String(reading.state.name) } : undefined;
    },
    settings: (property) => configurationNames.wireName(property),
  }),

  async delete(id, observed, { run, warn, inform }) {
    const restrictions = Object.entries(UNCONFIGURED)
      .map(([property, value]) => [property, observed[property as keyof Settings], value] as const)
      .filter(([, is, without]) => is !== undefined && JSON.stringify(is) !== JSON.stringify(without))
      .map(([property, is]) => `${property}: ${JSON.stringify(is)}`);
    if (restrictions.length === 0) return;
    if (run.leavesStack(database.type, id)) inform(configurationOfRetained(restrictions));
    else warn(configurationUnmanaged(id, restrictions));
  },
});

async function send(
  id: string,
  changes: Partial<ConfigurationArgs>,
  context: PlatformContext,
): Promise<ConfigurationState> {
  const { api } = context.platform;
  const databaseName = await nameOf(id, context);
  const at = { databaseName };
  const body = configurationNames.toWire(changes);
  const configuration =
    Object.keys(body).length === 0
      ? await api.retrieveDatabaseConfiguration(at)
      : await api.updateDatabaseConfiguration({ ...at, body });
  return stateOf(id, configuration, context);
}

/**
 * Returns the database's current name. The platform configures databases only by name, and an old name may already
 * belong to another database.
 */
async function nameOf(id: string, context: PlatformContext): Promise<string> {
  const given = context.run.names.of("Database", id);
  if (given !== undefined) return given;
  const reading = await database.read(id, undefined, "snapshot", context);
  if (reading.status === "live") return String(reading.state.name);
  throw referenceMissing(id, reading, context);
}

async function stateOf(id: string, configuration: object, { platform: { organization } }: PlatformContext) {
  const own = { ...UNCONFIGURED, ...configurationNames.fromWire(configuration) };
  return { ...own, database: id, organizationId: await organization.id() } as ConfigurationState;
}
