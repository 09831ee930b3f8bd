import type { Audits, Entry } from "./entry";

/** Fields that `null` clears. In other fields, `null` changes nothing (wire-facts 13.9). */
const LISTS = ["allowed_ips", "allowed_aws_vpc_ids"];

export const database: Pick<
  Audits,
  | "createDatabase"
  | "createDatabaseById"
  | "deleteDatabase"
  | "deleteDatabaseById"
  | "updateDatabaseConfiguration"
  | "restoreDatabase"
  | "uploadDump"
  | "seedDatabase"
  | "wakeDatabase"
  | "updateDatabaseVersion"
  | "transferDatabase"
  | "addInstance"
  | "removeInstance"
> = {
  createDatabase: ({ request: { body }, answer: { database } }) => ({
    code: "db-create",
    data: { database: database.Name, id: database.DbId, group: body.group, seed: body.seed?.type },
  }),
  createDatabaseById: ({ request: { body }, answer: { database } }) => ({
    code: "db-create",
    data: {
      database: database.Name,
      id: database.DbId,
      group: body.group,
      group_id: body.group_id,
      seed: body.seed?.type,
    },
  }),
  deleteDatabase: ({ request: { params } }) => ({ code: "db-delete", data: { database: params.databaseName } }),
  deleteDatabaseById: ({ request: { params }, answer: { database } }) => ({
    code: "db-delete",
    data: { database, id: params.databaseId },
  }),
  updateDatabaseConfiguration({ request: { params, body } }) {
    const { delete_protection, ...others } = body;
    const data = { database: params.databaseName };
    const entries: Entry[] = [];
    if (typeof delete_protection === "boolean")
      entries.push({ code: delete_protection ? "db-protect" : "db-unprotect", data });
    const changed = Object.entries(others).filter(([name, value]) => value !== null || LISTS.includes(name));
    if (changed.length > 0) entries.push({ code: "db-configure", data: { ...data, ...Object.fromEntries(changed) } });
    return entries;
  },
  restoreDatabase: ({ answer: { database } }) => ({
    code: "db-restore",
    data: { database: database.Name, id: database.DbId, group: database.group },
  }),
  uploadDump: ({ request: { body } }) => ({ code: "db-dump-upload", data: { size_bytes: body.file.size } }),
  seedDatabase: ({ request: { params, body } }) => ({
    code: "db-seed",
    data: { database: params.databaseName, size_bytes: body.file.size },
  }),
  wakeDatabase: ({ request: { params } }) => ({ code: "db-aunrchive", data: { database: params.databaseName } }),
  updateDatabaseVersion: ({ request: { params } }) => ({ code: "db-update", data: { database: params.databaseName } }),
  transferDatabase({ request: { params, body } }) {
    const entry: Entry = { code: "db-transfer", data: { database: params.databaseName, organization: body.org } };
    return [entry, { ...entry, organization: body.org }];
  },
  addInstance: ({ request: { params }, answer: { instance } }) => ({
    code: "instance-create",
    data: { database: params.databaseName, instance: instance.name },
  }),
  removeInstance: ({ request: { params } }) => ({
    code: "instance-delete",
    data: { database: params.databaseName, instance: params.instanceName },
  }),
};
