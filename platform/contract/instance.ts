import * as z from "zod";
import { databasePath, oneDatabase } from "./database";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPaths } from "./organization";

/** An instance is a database in one location (wire-facts 3.2). Its `name` is the code of the location. */
const Instance = lazy(() =>
  z
    .object({
      uuid: z.guid(),
      name: z.string(),
      type: z.enum(["primary", "replica"]),
      region: z.string(),
      hostname: z.string(),
    })
    .meta({ id: "Instance" }),
);

const all = `${oneDatabase}/instances`;
const one = `${all}/{instanceName}`;
const instancePath = lazy(() =>
  databasePath().extend({
    instanceName: z.string().min(1).meta({ description: "Name of the instance: the code of its location." }),
  }),
);

export const instances = {
  listInstances: endpoint({
    summary: "List the instances of a database.",
    method: "GET",
    paths: organizationPaths(all),
    params: databasePath,
    result: () => z.object({ instances: z.array(Instance()) }),
    access: { level: "group", scope: "read" },
  }),

  retrieveInstance: endpoint({
    summary: "Retrieve an instance of a database.",
    method: "GET",
    paths: organizationPaths(one),
    params: instancePath,
    result: () => z.object({ instance: Instance() }),
    access: { level: "group", scope: "read" },
  }),

  addInstance: endpoint({
    summary: "Add an instance to a database, outside the locations of its group.",
    method: "POST",
    paths: organizationPaths(all),
    params: databasePath,
    body: () => z.object({ location: z.string().meta({ description: "Code of a location." }) }),
    result: () => z.object({ instance: Instance() }),
    changes: ["databases"],
    access: { level: "group", scope: "db:configure", role: "member" },
  }),

  /**
   * Removes an instance that was added to a single database, and responds with its name. An instance in a location of the
   * group can be removed only by removing this location from the group.
   */
  removeInstance: endpoint({
    summary: "Remove an instance that was added to a database.",
    method: "DELETE",
    paths: organizationPaths(one),
    params: instancePath,
    result: () => z.object({ instance: z.string() }),
    refusals: { 400: "The instance belongs to a location of the group." },
    changes: ["databases"],
    access: { level: "group", scope: "db:configure", role: "member" },
  }),

  awaitInstance: endpoint({
    summary: "Wait until an instance of a database is ready.",
    method: "GET",
    paths: organizationPaths(`${one}/wait`),
    params: instancePath,
    result: () => z.looseObject({}),
    access: { level: "group", scope: "read" },
  }),
};
