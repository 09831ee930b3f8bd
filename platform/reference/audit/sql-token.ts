import type { Api } from "../../contract/api";
import type { Received } from "../../contract/endpoint";
import type { Audits } from "./entry";

export const sqlToken: Pick<
  Audits,
  | "createDatabaseToken"
  | "createDatabaseTokenById"
  | "createGroupToken"
  | "createGroupTokenById"
  | "rotateDatabaseTokens"
  | "rotateGroupTokens"
> = {
  createDatabaseToken: ({ request: { params, query } }) => ({
    code: "db-token-create",
    data: { database: params.databaseName, ...askedIn(query) },
  }),
  createDatabaseTokenById: ({ request: { params, query } }) => ({
    code: "db-token-create",
    data: { id: params.databaseId, ...askedIn(query) },
  }),
  createGroupToken: ({ request: { params, query } }) => ({
    code: "group-token-create",
    data: { group: params.groupName, ...askedIn(query) },
  }),
  createGroupTokenById: ({ request: { params, query } }) => ({
    code: "group-token-create",
    data: { uuid: params.groupId, ...askedIn(query) },
  }),
  rotateDatabaseTokens: ({ request: { params } }) => ({
    code: "db-token-rotate",
    data: { database: params.databaseName },
  }),
  rotateGroupTokens: ({ request: { params } }) => ({ code: "group-token-rotate", data: { group: params.groupName } }),
};

const askedIn = ({ expiration, authorization }: Received<Api["createGroupToken"]>["query"]) => ({
  expiration,
  authorization,
});
