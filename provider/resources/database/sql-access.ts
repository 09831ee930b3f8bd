import { isRefusal, Refusal } from "../../../kit/refusal";
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

/** How long a token is valid: longer than a request may take, and no longer. */
const TOKEN_MINUTES = 10;

interface Minted {
  readonly token: Promise<string>;
  readonly at: number;
}

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
  const mint = async () => {
    const { jwt } =
      id === undefined
        ? await explainAccess("createGroupTokenById", context, () =>
            api.createGroupTokenById({ groupId: String(group), query }),
          )
        : await explainAccess("createDatabaseTokenById", context, () =>
            api.createDatabaseTokenById({ databaseId: id, query }),
          );
    return jwt;
  };
  let minted: Minted | undefined;
  const isNew = ({ at }: Minted) => Date.now() - at < (TOKEN_MINUTES / 2) * 60_000;
  const token = async (): Promise<string> => {
    if (!minted || !isNew(minted)) minted = { token: mint(), at: Date.now() };
    const latest = minted;
    return latest.token.catch((failure: unknown) => {
      if (!isRefusal(failure)) throw failure;
      // What is forbidden stays so in this run.
      if (!isRefusal(failure, "forbidden") && minted === latest) minted = undefined;
      // Nothing was sent to the database, so nothing is uncertain there.
      const { kind, status, message } = failure;
      throw new Refusal(kind, { answer: message, status, cause: failure });
    });
  };
  return (database) => openDatabase(database, { token, encryptionKey });
}
