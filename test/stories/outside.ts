import type { ReferenceApi } from "../../platform/reference/server";
import type { StoryScene } from "./story";

export const organizationSlug = "acme";

/** Settings with the id of the organization, which a group-scoped token cannot look up. */
export const withOrganizationId = ({ organizationId }: ReferenceApi) => ({ organizationId });

/** Returns a change outside after which the provider uses another API token. */
export const use =
  (token: Parameters<StoryScene["here"]["api"]["token"]>[0]) =>
  async ({ here, stack }: StoryScene): Promise<void> =>
    stack.useToken(await here.api.token(token));

/** Notes the values of tokens under their logical names and a number. */
export async function noteSecrets(scene: StoryScene, number: number, ...slots: readonly string[]): Promise<void> {
  for (const slot of slots) scene.facts[`${slot} ${number}`] = await scene.secret(slot);
}

export const createGroup = async ({ here }: StoryScene, name: string, location = "aws-us-east-1"): Promise<string> =>
  (await here.outside.createGroup({ organizationSlug, body: { name, location } })).group.uuid;

export const deleteGroup = ({ here }: StoryScene, groupName: string) =>
  here.outside.deleteGroup({ organizationSlug, groupName });

export const groupNamed = async ({ here }: StoryScene, name: string) =>
  (await here.outside.listGroups({ organizationSlug })).groups.find((group) => group.name === name);

export const configurationOf = ({ here }: StoryScene, databaseName: string) =>
  here.outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName });

export const configure = ({ here }: StoryScene, databaseName: string, body: object) =>
  here.outside.updateDatabaseConfiguration({ organizationSlug, databaseName, body });
