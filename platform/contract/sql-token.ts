import * as z from "zod";
import { databaseIdPath, databasePath, oneDatabase } from "./database";
import { endpoint } from "./endpoint";
import { groupIdPath, groupPath, oneGroup } from "./group";
import { lazy } from "./lazy";
import { inOrganization } from "./organization";

/** The actions that fine-grained permissions can allow (wire-facts 2.3). */
const ACTIONS = [
  "data_read",
  "data_add",
  "data_update",
  "data_delete",
  "schema_add",
  "schema_update",
  "schema_delete",
] as const;

export const FineGrainedPermission = lazy(() =>
  z.object({
    t: z.array(z.string()).nullish().meta({ description: "Tables. Omitted or `null`: all." }),
    a: z.array(z.enum(ACTIONS)).min(1).meta({ description: "Actions." }),
  }),
);

/** The query parameters of a request for a SQL-engine token (wire-facts 2.3). */
const query = lazy(() =>
  z.object({
    expiration: z.string().optional().meta({
      description: "A duration with the units w, d, h, m, s, ms, us and ns (`2w1d30m`), or `never`. Default: `never`.",
    }),
    authorization: z
      .enum(["full-access", "read-only"])
      .default("full-access")
      .meta({ description: "Access that the token allows." }),
  }),
);

const body = lazy(() =>
  z
    .object({
      permissions: z
        .object({
          read_attach: z
            .object({
              databases: z
                .array(z.string())
                .nullish()
                .meta({ description: "Names of databases that may be attached." }),
            })
            .nullish(),
        })
        .nullish()
        .meta({ deprecated: true, description: "Current clients only send an empty list." }),
      fine_grained_permissions: z
        .array(FineGrainedPermission())
        .nullish()
        .meta({ examples: [[{ t: ["orders"], a: ["data_read"] }]] }),
    })
    .optional(),
);

/** The response with the new token. No other response shows the token. */
const result = lazy(() => z.object({ jwt: z.string() }));

/** What the four operations that issue a token have in common. */
const issuing = {
  method: "POST",
  query,
  body,
  result,
  refusals: { 400: "The expiration is not a duration, or a database to attach does not exist." },
  changes: [],
} as const;

const databaseAccess = { level: "group", scope: "db:mint-token", role: "member" } as const;
const groupAccess = { ...databaseAccess, scope: "group:mint-token" } as const;

export const sqlTokens = {
  createDatabaseToken: endpoint({
    ...issuing,
    summary: "Issue a SQL-engine token for a database.",
    paths: inOrganization(`${oneDatabase}/auth/tokens`),
    params: databasePath,
    access: databaseAccess,
  }),

  /** Issues a token as `createDatabaseToken` does, but identifies the database by UUID (wire-facts 3.7). */
  createDatabaseTokenById: endpoint({
    ...issuing,
    summary: "Issue a SQL-engine token for a database by its UUID.",
    paths: ["/v3/organizations/{organizationId}/databases/{databaseId}/auth/tokens"],
    params: databaseIdPath,
    access: databaseAccess,
  }),

  createGroupToken: endpoint({
    ...issuing,
    summary: "Issue a SQL-engine token for every database of a group.",
    paths: inOrganization(`${oneGroup}/auth/tokens`),
    params: groupPath,
    access: groupAccess,
  }),

  /** Issues a token as `createGroupToken` does, but identifies the group by UUID (wire-facts 2.4). */
  createGroupTokenById: endpoint({
    ...issuing,
    summary: "Issue a SQL-engine token for every database of a group by its UUID.",
    paths: ["/v3/organizations/{organizationId}/groups/{groupId}/auth/tokens"],
    params: groupIdPath,
    access: groupAccess,
  }),

  /** Revokes every token that has been issued for the database (§5 rule 5). */
  rotateDatabaseTokens: endpoint({
    summary: "Rotate the signing key of a database.",
    method: "POST",
    paths: inOrganization(`${oneDatabase}/auth/rotate`),
    params: databasePath,
    result: () => z.looseObject({}),
    changes: [],
    access: { level: "group", scope: "db:rotate-creds", role: "member" },
  }),

  /** Revokes every token that has been issued for the group or for any database in it (§5 rule 5). */
  rotateGroupTokens: endpoint({
    summary: "Rotate the signing key of a group and those of its databases.",
    method: "POST",
    paths: inOrganization(`${oneGroup}/auth/rotate`),
    params: groupPath,
    result: () => z.looseObject({}),
    changes: [],
    access: { level: "group", scope: "group:rotate-creds", role: "member" },
  }),
};
