import type { Audits, Entry } from "./entry";

export const database: Pick<
  Audits,
  "createDatabase" | "deleteDatabase" | "deleteDatabaseById" | "updateDatabaseConfiguration" | "restoreDatabase"
> = {
  createDatabase: ({ request: { body }, answer: { database } }) => ({
    code: "db-create",
    data: { database: database.Name, id: database.DbId, group: body.group },
  }),
  deleteDatabase: ({ request: { params } }) => ({ code: "db-delete", data: { database: params.databaseName } }),
  deleteDatabaseById: ({ request: { params }, answer: { database } }) => ({
    code: "db-delete",
    data: { database, id: params.databaseId },
  }),
  updateDatabaseConfiguration({ request: { params, body } }) {
    const { delete_protection, ...rest } = body;
    const data = { database: params.databaseName };
    const entries: Entry[] = [];
    if (typeof delete_protection === "boolean")
      entries.push({ code: delete_protection ? "db-protect" : "db-unprotect", data });
    if (Object.keys(rest).length > 0) entries.push({ code: "db-configure", data: { ...data, ...rest } });
    return entries;
  },
  restoreDatabase: ({ answer: { database } }) => ({
    code: "db-restore",
    data: { database: database.Name, id: database.DbId, group: database.group },
  }),
};
