import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { ReadContext } from "../../../kit/resource";
import { Absent } from "../../../kit/results";
import { declaredOperationsOf, permissionsFor } from "../../permissions/permissions";
import { field, type Platform, resource } from "../../platform";
import { database } from "../database/database";
import { databaseId, dbIdOf, referencedDatabase, referencedDatabaseFailure } from "../database/reference";
import { readThroughOwner } from "../owner";
import { issuedToken, sqlToken, tokenInputs, tokenOutputs, warnIfLost, warnNotRevocable } from "./sql-token";

export const databaseToken = resource({
  ...sqlToken,
  type: "DatabaseToken",
  description:
    "A token with which an application connects to one database. The platform keeps no record of it and cannot revoke it: after the resource is deleted, the token stays valid until it expires or until the signing key of the database or its group is rotated (`SigningKeyRotation`). A rotation made outside of Pulumi cannot be detected; change `keepers` after one. When the database is deleted and restored, the token is valid again.",
  inputs: {
    database: field.replaces(z.string(), {
      describe:
        "DbId of the database (`database.dbId`). Another database replaces the token by a new one; the old one stays valid.",
      ...databaseId,
    }),
    ...tokenInputs,
  },
  outputs: {
    ...tokenOutputs,
    groupId: field.output(z.uuid(), { describe: "UUID of the group that holds the database." }),
  },
  permissions: permissionsFor({ read: declaredOperationsOf(database).read, create: ["createDatabaseTokenById"] }),
  inside: { type: "Database", by: "database", canonicalId: dbIdOf },

  read: (_id, context) => readThroughDatabase(context),

  async create(wanted, context) {
    const { api, organization } = context.platform;
    const { expiration, authorization } = wanted;
    const organizationId = await organization.id();
    const owner = await referencedDatabase(wanted.database, context);
    const query = { expiration, authorization };
    const { jwt } = await api
      .createDatabaseTokenById({ databaseId: owner.database, query })
      .catch(warnIfLost(`database ${owner.database}`));
    return { id: randomUUID(), state: { ...owner, ...issuedToken(jwt, wanted), organizationId } };
  },

  delete: async (_id, context) => warnNotRevocable(`database ${context.now.database}`, context),

  checks: {
    create: ({ database: wanted }, context) =>
      wanted === undefined ? undefined : referencedDatabaseFailure(wanted, context),
  },
});

interface OfDatabase {
  readonly database: string;
  readonly groupId: string;
  readonly organizationId: string;
}

async function readThroughDatabase<Known extends OfDatabase>(context: ReadContext<Platform, Known>) {
  const { known, maxAge } = context;
  if (known === undefined) return new Absent(sqlToken.unimportable);
  const id = dbIdOf(known.database);
  const { groupId, organizationId } = known;
  const reading = await database.read(id, context, { known: { groupId, organizationId }, maxAge });
  const owner = { kind: database, id, reading };
  return readThroughOwner(owner, (found) => ({ ...known, groupId: found.groupId }), context);
}
