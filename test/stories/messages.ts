import { readableInstant } from "../../kit/instant";
import { deletionMessage, restored, restorePlanned } from "../../kit/lifecycle/restore/messages";
import { authorName } from "../../provider/client/messages";
import type { Author } from "../../provider/facts";
import { ITS_GROUP, WITH_DATA } from "../../provider/resources/database/messages";
import { THESE_DATABASES, WITH_DATABASES } from "../../provider/resources/group/messages";
import { RECOVERY_PERIOD } from "../../provider/resources/messages";
import { NOON } from "./story";

const FIVE_DAYS_MS = 5 * 86_400_000;

/** The end of a sentence about an object that was deleted at noon. */
export const RESTORABLE = `can be restored until ${readableInstant(new Date(Date.parse(NOON) + FIVE_DAYS_MS).toISOString())}`;

interface Deleted {
  /** Time of the deletion. Default: noon. */
  readonly at?: string;
  readonly withGroup?: true;
  /** Who deleted the object. Default: Ada, with the API. `nobody` if the message names no one, as in an import. */
  readonly by?: Author | "nobody";
}

const ADA: Author = { author: "ada", origin: "api" };

const deletion = ({ at = NOON, by = ADA }: Deleted) => ({
  deletedAt: at,
  restorableUntil: new Date(Date.parse(at) + FIVE_DAYS_MS).toISOString(),
  by: by === "nobody" ? undefined : authorName({ by }),
});

/** Returns the message of a run about a deleted database. */
export const databaseDeleted = (name: string, deleted: Deleted = {}): string =>
  deletionMessage({
    title: `database "${name}"`,
    id: "",
    brings: WITH_DATA,
    deletion: { ...deletion(deleted), together: deleted.withGroup && ITS_GROUP },
  });

/** What a run says of an object if the credential cannot see whether it was deleted. */
export const deletionUnseen = (title: string, id: string, because: string): string =>
  deletionMessage({
    title,
    id,
    brings: "",
    deletion: { deletedAt: NOON, unseen: { period: RECOVERY_PERIOD, because } },
  });

/** What a run says of a group that was deleted with these databases. */
export const groupDeleted = (
  name: string,
  databases: Readonly<Record<string, string>> = {},
  deleted: Deleted = {},
): string =>
  deletionMessage({
    title: `group "${name}"`,
    id: "",
    brings: WITH_DATABASES,
    deletion: {
      ...deletion(deleted),
      contents: {
        what: THESE_DATABASES,
        objects: Object.entries(databases).map(([database, id]) => ({ name: database, id })),
      },
    },
  });

/** Returns the sentence of a preview about a database that `pulumi up` restores. */
export const databaseRestorePlanned = (name: string, id: string): string =>
  restorePlanned({ title: `database "${name}"`, id, brings: WITH_DATA });

/** Returns the sentence of a preview about a group that `pulumi up` restores. */
export const groupRestorePlanned = (name: string, id: string): string =>
  restorePlanned({ title: `group "${name}"`, id, brings: WITH_DATABASES });

/** What an update says of a database that it has restored. */
export const databaseRestored = (name: string): string => restored({ title: `database "${name}"`, brings: WITH_DATA });

/** What an update says of a group that it has restored. */
export const groupRestored = (name: string): string => restored({ title: `group "${name}"`, brings: WITH_DATABASES });
