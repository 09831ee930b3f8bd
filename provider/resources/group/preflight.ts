import { readPages } from "../../../platform/client/pages";
import type { ResourceContext } from "../../resource/context";
import { type PreflightFailure, preflightFailure } from "../../resource/preflight";
import { findLiveGroup, otherGroupNamed } from "./reference";

export async function locationMissing(
  { location, locations = [] }: { readonly location?: string; readonly locations?: readonly string[] },
  { client, once }: ResourceContext,
): Promise<PreflightFailure | undefined> {
  const wanted = location === undefined ? locations : [location, ...locations];
  if (wanted.length === 0) return undefined;
  const { locations: known } = await once("locations", () => client.listLocations({}));
  const missing = wanted.find((code) => !Object.hasOwn(known, code));
  return preflightFailure(
    missing === undefined
      ? undefined
      : `there is no location "${missing}". There are: ${Object.keys(known).join(", ")}`,
  );
}

/** Finds another group with the wanted name, because the platform refuses to rename a group to a name that is taken. */
export async function nameTaken(
  id: string,
  name: string,
  context: ResourceContext,
): Promise<PreflightFailure | undefined> {
  const holder = await otherGroupNamed(name, id, context);
  return preflightFailure(
    holder &&
      `the name "${name}" is in use by group ${holder.uuid}: choose another \`name\`, or rename that group first`,
  );
}

interface Deletable {
  readonly name: string;
  readonly forceDestroy?: boolean | undefined;
}

/**
 * Describes the databases that a group still contains. Deleting a group deletes its databases, so the group must be
 * empty unless the user has set `forceDestroy`.
 */
export async function whatRemains(id: string, group: Deletable, context: ResourceContext): Promise<string | undefined> {
  const found = group.forceDestroy ? undefined : await findLiveGroup(context, ({ uuid }) => uuid === id);
  return found && remaining(group, await databasesIn(found, context));
}

/**
 * Finds why a group cannot be deleted: delete protection of the group or of a database, or databases that are not
 * deleted first.
 */
export async function deletionFailure(
  id: string,
  group: Deletable,
  context: ResourceContext,
): Promise<PreflightFailure | undefined> {
  const found = await findLiveGroup(context, ({ uuid }) => uuid === id);
  if (!found) return undefined;
  if (found.delete_protection) return preflightFailure(`group "${group.name}" is ${PROTECTED}`);
  const databases = await databasesIn(found, context);
  const kept = databases.find(({ delete_protection }) => delete_protection);
  if (kept)
    return preflightFailure(
      `group "${group.name}" holds database "${kept.Name}" (${kept.DbId}), which is ${PROTECTED}`,
    );
  // Databases of the stack are replaced with their group. Unless the engine reads first, it is unknown which databases
  // these are.
  if (group.forceDestroy || !context.inStack("Group", id)) return undefined;
  const foreign = databases.filter(({ DbId }) => !context.inStack("Database", DbId));
  return preflightFailure(remaining(group, foreign));
}

const PROTECTED = "delete-protected: set deleteProtection: false, run `pulumi up`, then try again";

async function databasesIn({ name }: { readonly name: string }, { client, organization }: ResourceContext) {
  const { items } = await readPages(
    (page) => client.listDatabases({ organizationSlug: organization.slug, query: { ...page, group: name } }),
    ({ databases }) => databases,
  );
  return items;
}

interface Remaining {
  readonly Name: string;
  readonly DbId: string;
}

function remaining({ name }: Deletable, databases: readonly Remaining[]): string | undefined {
  if (databases.length === 0) return undefined;
  const list = databases.map(({ Name, DbId }) => `"${Name}" (${DbId})`).join(", ");
  return `group "${name}" still holds ${databases.length === 1 ? "a database" : `${databases.length} databases`}: ${list}. They may not be in this program, may be retained (\`retainOnDelete\`), may name the group by a literal instead of \`group.id\`, or be \`deletedWith\` it, which needs an applied \`forceDestroy: true\`. Move them, or set \`forceDestroy: true\` and run \`pulumi up\` first, which lets them be deleted with the group (restorable for five days)`;
}
