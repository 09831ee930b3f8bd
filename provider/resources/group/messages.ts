import { nameInUseBy } from "../../../kit/messages";
import { namesAndIds } from "../../../kit/phrases";
import { ALL_EXTENSIONS } from "../../../platform/contract/group";
import type { ContainedDatabase, Facts } from "../../facts";
import { seer } from "../messages";

export const WITH_DATABASES = "with its databases and their data";
export const EXTENSIONS_CHANGE_ADVICE = "To use other extensions, create another group.";
export const EXTENSION_BESIDE_ALL = `is already part of "${ALL_EXTENSIONS}"; write only one of them`;

export const locationUnknown = ({ location, known }: Facts<"location"> & { readonly known: readonly string[] }) =>
  `location "${location}" does not exist. Available locations: ${known.join(", ")}`;
const KEEP_LOCATION = "Do not change the location of an existing group: that replaces it with its databases.";
/** Why an editor marks a location as deprecated. */
export const OLDER_LOCATION = `One of the older locations. The platform's documentation still lists it, but users report that the service refuses it. For a new group, write a location that begins with \`aws-\`. ${KEEP_LOCATION}`;
export const olderLocation = ({ location }: Facts<"location">) =>
  `Location "${location}" is one of the older locations, which have three letters. The platform's documentation still lists it, but users report that the service refuses it (HTTP 400, \`invalid location\`). For a new group, write a location that begins with \`aws-\` (\`getLocations\` lists those of your organization). ${KEEP_LOCATION}`;
export const restoredGroupNameTaken = ({ name, id }: Facts<"name" | "id">) =>
  `${nameInUseBy({ kind: "group", name, id })}. Give that group another \`name\` (with that group in \`dependsOn\` of this resource if this program manages both), then run \`pulumi up\` again`;
export const restoredNamePlanned = ({ name, urn }: Facts<"name" | "urn">) =>
  `this program creates another group named "${name}" (${urn}). Choose another \`name\` for that group`;

export const groupNotEmpty = ({
  name,
  contained,
  obstacle,
}: Facts<"name", "obstacle"> & { readonly contained: readonly ContainedDatabase[] }) => {
  const [count, noun, them, their] =
    contained.length === 1
      ? ["a database", "database", "it", "its"]
      : [`${contained.length} databases`, "databases", "them", "their"];
  return [
    `group "${name}" still contains ${count}: ${namesAndIds(contained)}`,
    `Possible reasons: the program does not declare ${them}, retains ${them} (\`retainOnDelete\`), names ${their} group by a literal instead of \`group.id\`, or sets \`deletedWith\` without an applied \`forceDestroy: true\``,
    `To keep the ${noun}, keep the group. To delete ${them} with the group${obstacle === undefined ? " (restorable for five days)" : ""}, first set \`forceDestroy: true\` and run \`pulumi up\``,
    ...(obstacle === undefined ? [] : [`Nothing can be restored at present: ${obstacle}`]),
  ].join(". ");
};

export const groupNotLive = ({ id }: Facts<"id">) => `group ${id} does not exist or is already deleted`;
export const groupUnarchived = ({ name, id }: Facts<"name" | "id">) =>
  `Group "${name}" (${id}) is archived, so its databases cannot be used. This update unarchives it.`;

// References
export const groupNotFound = (facts: Facts<"organization" | "wanted", "pinnedTo">) =>
  `${seer(facts)} no group "${facts.wanted}"`;
export const availableGroups = ({ known }: { readonly known: readonly string[] }) =>
  known.length === 0
    ? "This API token sees no groups"
    : `Available groups: ${known.map((name) => `"${name}"`).join(", ")}`;
export const objectInOtherGroup = ({ groupId, pinnedTo }: Facts<"groupId" | "pinnedTo">) => ({
  answer: `this API token is pinned to group ${pinnedTo} and cannot see group ${groupId}`,
  advice: "Use an API token of that group, or an organization-level token",
});
export const databaseInUnknownGroup = ({ id, pinnedTo }: Facts<"id" | "pinnedTo">) => ({
  answer: `this API token is pinned to group ${pinnedTo}, and database ${id} may be in another group`,
  advice: "Use an organization-level token",
});

// Deletion and restoration
export const THESE_DATABASES = "these databases and their data";

export const databaseNotRestored = ({ id, reason }: Facts<"id" | "reason">) =>
  `Database ${id} was not restored with its group: ${reason}`;
export const databasesStillDeleted = ({
  name,
  contained,
}: Facts<"name"> & { readonly contained: readonly ContainedDatabase[] }) =>
  `Group "${name}" is live again, but these databases, which were deleted with it, are still deleted: ${namesAndIds(contained)}. To restore one, declare it with the option \`import: "<DbId>"\`.`;
