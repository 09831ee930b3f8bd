import { createHash } from "node:crypto";
import { isLocation } from "../../values/location";
import type { Organization } from "../credentials/membership";
import { refuse } from "../messages";
import { changeDatabase, type Database, databaseNamed } from "./database";
import { locationsOf } from "./group";
import { instanceHostnameOf } from "./hostnames";
import { regionsOf } from "./location";
import type { Operations, OrganizationContext } from "./operation";

/** Instances. Adding an instance in a location that already has one succeeds, and changes nothing. */
export const instances = {
  listInstances: {
    async handle({ params }, context) {
      const database = await databaseNamed(params.databaseName, context);
      return { instances: instancesOf(database, context.accessScope.organization) };
    },
  },

  retrieveInstance: {
    async handle({ params }, context) {
      const database = await databaseNamed(params.databaseName, context);
      return { instance: instanceOf(database, params.instanceName, context) };
    },
  },

  addInstance: {
    async handle({ params, body }, context) {
      const database = await databaseNamed(params.databaseName, context);
      if (!isLocation(body.location)) throw refuse.invalidLocation(body);
      const added = regionsOf(database).includes(body.location) ? [] : [body.location];
      const changes = { added_locations: JSON.stringify([...addedLocationsOf(database), ...added]) };
      await changeDatabase(context.state, database.id, changes);
      return { instance: instanceOf({ ...database, ...changes }, body.location, context) };
    },
    audit: ({ request: { params }, answer: { instance } }) => ({
      code: "instance-create",
      data: { database: params.databaseName, instance: instance.name },
    }),
  },

  removeInstance: {
    async handle({ params }, context) {
      const database = await databaseNamed(params.databaseName, context, refuse.databaseOfInstanceNotFound);
      const { name } = instanceOf(database, params.instanceName, context);
      if (locationsOf(database).includes(name))
        throw refuse.instanceOfGroup({ instance: name, group: database.group_name });
      await changeDatabase(context.state, database.id, {
        added_locations: JSON.stringify(addedLocationsOf(database).filter((code) => code !== name)),
      });
      return { instance: name };
    },
    audit: ({ request: { params } }) => ({
      code: "instance-delete",
      data: { database: params.databaseName, instance: params.instanceName },
    }),
  },

  awaitInstance: {
    /** Succeeds immediately, because an instance is ready as soon as it has been added. */
    async handle({ params }, context) {
      const database = await databaseNamed(params.databaseName, context);
      instanceOf(database, params.instanceName, context);
      return {};
    },
  },
} satisfies Partial<Operations>;

/** Returns the instances of a database, one for each region. The primary instance is first. */
export const instancesOf = (database: Database, organization: Organization) =>
  regionsOf(database).map((region) => ({
    uuid: uuidFrom(`${database.id} ${region}`),
    name: region,
    type: region === database.location ? ("primary" as const) : ("replica" as const),
    region,
    hostname: instanceHostnameOf(database.name, organization, region),
  }));

function instanceOf(database: Database, name: string, { accessScope }: OrganizationContext) {
  const found = instancesOf(database, accessScope.organization).find((each) => each.name === name);
  if (!found) throw refuse.instanceNotFound({ instance: name, database: database.name });
  return found;
}

const addedLocationsOf = ({ added_locations }: Database): string[] => JSON.parse(added_locations) as string[];

/** Derives a UUID from a string. The UUID has version 8, for which RFC 9562 prescribes no algorithm. */
function uuidFrom(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}
