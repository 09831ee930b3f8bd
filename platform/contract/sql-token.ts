import * as z from "zod";
import { databaseIdPath, databasePath, oneDatabase, oneDatabaseById } from "./database";
import { endpoint } from "./endpoint";
import { groupIdPath, groupPath, oneGroup, oneGroupById } from "./group";
import { lazy } from "./lazy";
import { organizationPaths } from "./organization";

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

type Kind = "db" | "group";
type Paths = readonly [string, ...string[]];

/** @param what What the token is for. */
const issueSqlTokenEndpoint = <Params extends z.ZodObject>(
  kind: Kind,
  what: string,
  paths: Paths,
  params: () => Params,
) =>
  endpoint({
    summary: `Issue a SQL-engine token for ${what}.`,
    method: "POST",
    paths,
    params,
    query,
    body,
    result,
    refusals: { 400: "The expiration is not a duration, or a database to attach does not exist." },
    changes: [],
    access: { level: "group", scope: `${kind}:mint-token`, role: "member" },
  });

/** @param what What has the key. */
const rotateSqlTokensEndpoint = <Params extends z.ZodObject>(
  kind: Kind,
  what: string,
  paths: Paths,
  params: () => Params,
) =>
  endpoint({
    summary: `Rotate the signing key of ${what}.`,
    method: "POST",
    paths,
    params,
    result: () => z.looseObject({}),
    changes: [],
    access: { level: "group", scope: `${kind}:rotate-creds`, role: "member" },
  });

/** For the operations by UUID, see wire-facts 3.7 and 2.4. */
export const sqlTokens = {
  createDatabaseToken: issueSqlTokenEndpoint(
    "db",
    "a database",
    organizationPaths(`${oneDatabase}/auth/tokens`),
    databasePath,
  ),
  createDatabaseTokenById: issueSqlTokenEndpoint(
    "db",
    "a database by its UUID",
    [`${oneDatabaseById}/auth/tokens`],
    databaseIdPath,
  ),
  createGroupToken: issueSqlTokenEndpoint(
    "group",
    "every database of a group",
    organizationPaths(`${oneGroup}/auth/tokens`),
    groupPath,
  ),
  createGroupTokenById: issueSqlTokenEndpoint(
    "group",
    "every database of a group by its UUID",
    [`${oneGroupById}/auth/tokens`],
    groupIdPath,
  ),

  /** Revokes every token that has been issued for the database (§5 rule 5). */
  rotateDatabaseTokens: rotateSqlTokensEndpoint(
    "db",
    "a database",
    organizationPaths(`${oneDatabase}/auth/rotate`),
    databasePath,
  ),

  /** Revokes every token that has been issued for the group or for any database in it (§5 rule 5). */
  rotateGroupTokens: rotateSqlTokensEndpoint(
    "group",
    "a group and those of its databases",
    organizationPaths(`${oneGroup}/auth/rotate`),
    groupPath,
  ),
};
