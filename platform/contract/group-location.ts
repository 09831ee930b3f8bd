import * as z from "zod";
import { endpoint } from "./endpoint";
import { Group, groupPath, oneGroup } from "./group";
import { lazy } from "./lazy";
import { inOrganization } from "./organization";

const paths = inOrganization(`${oneGroup}/locations/{location}`);
const params = lazy(() =>
  groupPath().extend({ location: z.string().min(1).meta({ description: "Code of a location." }) }),
);

/** The reason that the official npm client (2.0.5) gives for adding and removing locations. */
const deprecated = "Turso Cloud has deprecated edge replicas.";

/** Adds a location to a group (wire-facts 2.2). A location that the group already has is not added again. */
export const addGroupLocation = endpoint({
  summary: "Add a location to a group.",
  method: "POST",
  paths,
  params,
  result: () => z.object({ group: Group() }),
  changes: ["groups", "databases"],
  access: { level: "group", scope: "group:configure", role: "member" },
  deprecated,
});

/** Removes a location from a group (wire-facts 2.2). The primary location cannot be removed. */
export const removeGroupLocation = endpoint({
  summary: "Remove a location from a group.",
  method: "DELETE",
  paths,
  params,
  result: () => z.object({ group: Group() }),
  refusals: { 400: "The location is unknown, or is the primary one." },
  changes: ["groups", "databases"],
  access: { level: "group", scope: "group:configure", role: "member" },
  deprecated,
});

/** Responds as soon as a location of a group is ready. Clients ignore the body (wire-facts 2.2). */
export const awaitGroupLocation = endpoint({
  summary: "Wait until a location of a group is ready.",
  method: "GET",
  paths: inOrganization(`${oneGroup}/locations/{location}/wait`),
  params,
  result: () => z.looseObject({}),
  access: { level: "group", scope: "read" },
});
