import { readableInstant } from "../../kit/instant";
import { restored, restorePlanned } from "../../kit/lifecycle/restore/messages";
import { databaseDeleted, WITH_DATA } from "../../provider/resources/database/messages";
import { groupDeleted, WITH_DATABASES } from "../../provider/resources/group/messages";
import { NOON, type StoryScene } from "./story";

export const organizationSlug = "acme";

const FIVE_DAYS_MS = 5 * 86_400_000;

/** The end of a sentence about an object that was deleted at noon. */
export const RESTORABLE = `can be restored until ${readableInstant(new Date(Date.parse(NOON) + FIVE_DAYS_MS).toISOString())}`;

interface Deleted {
  /** Time of the deletion. Default: noon. */
  readonly at?: string;
  readonly withGroup?: true;
  /** Whether the message names nobody, as when a deleted object is imported. */
  readonly byNobody?: true;
}

const deletion = (name: string, { at = NOON, byNobody }: Deleted) => ({
  name,
  deletedAt: at,
  restorableUntil: new Date(Date.parse(at) + FIVE_DAYS_MS).toISOString(),
  ...(byNobody ? {} : { by: { author: "ada", origin: "api" } }),
});

/** What a run says of a database that Ada has deleted. */
export const isDeleted = (name: string, deleted: Deleted = {}): string =>
  databaseDeleted({ ...deletion(name, deleted), isDeletedWithGroup: deleted.withGroup ?? false });

/** What a run says of a group that Ada has deleted, with these databases. */
export const isGroupDeleted = (
  name: string,
  databases: Readonly<Record<string, string>> = {},
  deleted: Deleted = {},
): string =>
  groupDeleted({
    ...deletion(name, deleted),
    contained: Object.entries(databases).map(([database, id]) => ({ name: database, id })),
  });

/** Returns the sentence of a preview about a database that `pulumi up` restores. */
export const willBeRestored = (name: string, id: string): string =>
  restorePlanned({ title: `database "${name}"`, id, brings: WITH_DATA });

/** Returns the sentence of a preview about a group that `pulumi up` restores. */
export const groupWillBeRestored = (name: string, id: string): string =>
  restorePlanned({ title: `group "${name}"`, id, brings: WITH_DATABASES });

/** What an update says of a database that it has restored. */
export const isRestored = (name: string): string => restored({ title: `database "${name}"`, brings: WITH_DATA });

/** What an update says of a group that it has restored. */
export const isGroupRestored = (name: string): string => restored({ title: `group "${name}"`, brings: WITH_DATABASES });

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
