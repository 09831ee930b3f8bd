import type { Api, Operation } from "../contract/api";
import type { Answer, Received } from "../contract/endpoint";
import type { World } from "./operations/handler";
import { addAuditLog } from "./store/audit-logs";
import { findOrganization } from "./store/organizations";

type Writing = { [Name in Operation]: Api[Name]["method"] extends "GET" ? never : Name }[Operation];

interface Entry {
  /** Documented (wire-facts 7), or one of ours (docs/reference-api.md). */
  readonly code: string;
  /** Names and ids of what was changed. Never a credential. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Slug, where it is not the organization that the request is for. */
  readonly organization?: string;
}

/** What was asked for and what came of it. */
interface Happened<Name extends Operation> {
  readonly request: Received<Api[Name]>;
  readonly answer: Answer<Api[Name]>;
}

/** What each change leaves in the audit log (§2.6). An operation that changes something and is not here does not compile. */
const audits: { readonly [Name in Writing]: (happened: Happened<Name>) => Entry | readonly Entry[] } = {
  updateOrganization: ({ request: { body } }) =>
    body.overages === undefined
      ? { code: "org-configure", data: { ...body } }
      : { code: "org-set-overages", data: { ...body } },

  createGroup: ({ answer: { group } }) => ({
    code: "group-create",
    data: { group: group.name, uuid: group.uuid, location: group.primary },
  }),
  deleteGroup: ({ answer: { group } }) => ({ code: "group-delete", data: { group: group.name, uuid: group.uuid } }),
  updateGroupConfiguration: ({ request: { params, body } }) =>
    typeof body.delete_protection === "boolean"
      ? { code: body.delete_protection ? "group-protect" : "group-unprotect", data: { group: params.groupName } }
      : [],
  renameGroup: ({ request: { params, body } }) => ({
    code: "group-rename",
    data: { group: params.groupName, name: body.name },
  }),
  addGroupLocation: ({ request: { params } }) => ({
    code: "group-location-add",
    data: { group: params.groupName, location: params.location },
  }),
  removeGroupLocation: ({ request: { params } }) => ({
    code: "group-location-rm",
    data: { group: params.groupName, location: params.location },
  }),
  transferGroup({ request: { params, body }, answer }) {
    const entry = {
      code: "group-transfer",
      data: { group: params.groupName, uuid: answer.uuid, organization: body.organization },
    };
    return [entry, { ...entry, organization: body.organization }];
  },
  restoreGroup: ({ answer: { group, databases } }) => ({
    code: "group-restore",
    data: { group: group.name, uuid: group.uuid, databases: databases.map(({ DbId }) => DbId) },
  }),

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
    return [
      ...(typeof delete_protection === "boolean"
        ? [{ code: delete_protection ? "db-protect" : "db-unprotect", data }]
        : []),
      ...(Object.keys(rest).length > 0 ? [{ code: "db-configure", data: { ...data, ...rest } }] : []),
    ];
  },
  restoreDatabase: ({ answer: { database } }) => ({
    code: "db-restore",
    data: { database: database.Name, id: database.DbId, group: database.group },
  }),

  createApiToken: ({ request: { body }, answer: { name, id } }) => ({
    code: "user-token-create",
    data: { name, id, group: body?.group, scopes: body?.scopes },
  }),
  revokeApiToken: ({ answer }) => ({ code: "user-token-revoke", data: { id: answer.token } }),
};

/** What a change leaves behind, in the transaction that makes it. What belongs to no organization leaves nothing. */
export async function record(
  operation: Operation,
  happened: { request: unknown; answer: unknown },
  { state, now, caller, origin, reach }: World,
): Promise<void> {
  const audit = (audits as Record<string, ((happened: unknown) => Entry | readonly Entry[]) | undefined>)[operation];
  if (!audit) return;
  for (const { code, data, organization } of [audit(happened)].flat()) {
    const named =
      organization === undefined ? reach?.organization : await findOrganization(state, { slug: organization });
    const id = named?.id ?? (await findOrganization(state, { slug: caller.user.username }))?.id;
    if (id === undefined) continue;
    await addAuditLog(state, {
      organization_id: id,
      code,
      message: "",
      origin,
      author: caller.user.username,
      created_at: now.toISOString(),
      data: JSON.stringify(data),
    });
  }
}

/** Where a change comes from, by the `User-Agent` (wire-facts 0). */
export function originOf(userAgent = ""): string {
  if (/^[\w.-]*cli\//i.test(userAgent)) return "cli";
  return userAgent.startsWith("Mozilla/") ? "web" : "api";
}
