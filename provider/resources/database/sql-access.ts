import type { SqlDatabase } from "../../client/sql";
import { explainAccess } from "../../permissions/permissions";
import type { PlatformContext } from "../../platform";
import type { LiveDatabaseRecord } from "./live-databases";

/** The database, or the group of databases, to open. */
export interface SqlAccess {
  /** DbId of the only database. */
  readonly database?: string | undefined;
  /** UUID of the group. */
  readonly group?: string | undefined;
  readonly encryptionKey?: string | undefined;
}

/** How long a token is valid: longer than what is done with one database may take, and no longer. */
const TOKEN_MINUTES = 10;

/**
 * Returns a function that opens databases. It mints a token for the database or for the whole group, which is in no state
 * and in no message, and another one when half of its time is over.
 */
export function connector(
  { database: id, group, encryptionKey }: SqlAccess,
  authorization: "full-access" | "read-only",
  context: PlatformContext,
): (database: LiveDatabaseRecord) => Promise<SqlDatabase> {
  const { api, openDatabase } = context.platform;
  const query = { expiration: `${TOKEN_MINUTES}m`, authorization };
  const mint = async () =>
    id === undefined
      ? explainAccess("createGroupTokenById", context, () =>
          api.createGroupTokenById({ groupId: String(group), query }),
        )
      : explainAccess("createDatabaseTokenById", context, () => api.createDatabaseTokenById({ databaseId: id, query }));
  let minted: { readonly token: Promise<string>; readonly at: number } | undefined;
  const token = () => {
    if (!minted || Date.now() - minted.at > (TOKEN_MINUTES / 2) * 60_000)
      minted = { token: mint().then(({ jwt }) => jwt), at: Date.now() };
    return minted.token;
  };
  return (database) => openDatabase(database, { token, encryptionKey });
}
