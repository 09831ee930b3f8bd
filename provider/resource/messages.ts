import type { Operation } from "../../platform/contract/api";
import { message } from "../../platform/values/message";

/** Who did something, as messages about drift say it. */
export interface Authorship {
  readonly author: string;
  /** Origin in the audit log: `cli`, `web`, `api` or another word. */
  readonly origin: string;
  /** How long ago, for example `3 hours ago`. */
  readonly ago: string;
}

const ORIGINS: Readonly<Record<string, string>> = { cli: " with the CLI", web: " (web)", api: " (API)" };

/** Names the author within a sentence: `ada with the CLI`. */
export const authorName = message(
  ({ author, origin }: Pick<Authorship, "author" | "origin">) => `${author}${ORIGINS[origin] ?? ""}`,
  [{ author: "ada", origin: "cli" }],
  [{ author: "max", origin: "web" }],
);

/** Describes the operations that a group-scoped token can never run, in words that complete a sentence. */
export const ORGANIZATION_LEVEL: Partial<Record<Operation, string>> = {
  createGroup: "create groups",
  deleteGroup: "delete groups",
  restoreGroup: "restore groups",
  createApiToken: "create API tokens",
  listApiTokens: "list API tokens",
  revokeApiToken: "revoke API tokens",
  listAuditLogs: "list audit logs",
  listDeletedGroups: "list deleted groups",
  retrieveOrganization: "read the organization's record",
  updateOrganization: "change the organization's settings",
};

/**
 * Reports that a group-scoped token cannot run an operation.
 *
 * @param operation One of the descriptions in `ORGANIZATION_LEVEL`.
 */
export const organizationTokenNeeded = message(
  (operation: string, groupId: string) =>
    `a group-scoped API token cannot ${operation} (this token is pinned to group ${groupId}); use an organization-level token`,
  ["create groups", "0a28102d-6906-11ee-8553-eaa7715aeaf2"],
);

export const scopesMissing = message(
  (...scopes: readonly string[]) => {
    const quoted = scopes.map((scope) => `\`${scope}\``);
    const last = quoted.pop();
    return quoted.length === 0
      ? `the API token lacks the scope ${last}`
      : `the API token lacks the scopes ${quoted.join(", ")} and ${last}`;
  },
  ["db:create"],
  ["read", "db:create", "db:delete"],
);
