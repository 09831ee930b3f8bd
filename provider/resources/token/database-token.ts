import { randomUUID } from "node:crypto";
import * as z from "zod";
import { declaredBy, requires } from "../../permissions/permissions";
import { definition } from "../../platform";
import { database } from "../database/database";
import { databaseMissing, databaseOf, databaseReference, dbIdOf } from "../database/reference";
import { readThroughOwner } from "../recovery/owner";
import { issued, sqlToken, tokenArgs, tokenState, tokenTraits, warnIfLost, warnNotRevocable } from "./sql-token";

const args = z.object({
  database: z.string().describe("DbId of the database (`database.dbId`)."),
  ...tokenArgs,
});

const state = z.object({
  ...args.shape,
  ...tokenState,
  groupId: z.uuid().describe("UUID of the group that holds the database."),
});

type DatabaseTokenArgs = z.output<typeof args>;
type DatabaseTokenState = z.output<typeof state>;

export const databaseToken = definition<DatabaseTokenArgs, DatabaseTokenState>({
  ...sqlToken,
  type: "DatabaseToken",
  description:
    "A token with which an application connects to one database. The platform keeps no record of it and cannot revoke it: after the resource is deleted, the token stays valid until it expires or until the signing key of the database or its group is rotated (`SigningKeyRotation`). A rotation made outside of Pulumi cannot be detected; change `keepers` after one. When the database is deleted and restored, the token is valid again.",
  permissions: requires({ read: declaredBy(database).read, create: ["createDatabaseTokenById"] }),
  args,
  state,
  owned: { type: "Database", id: "database", canonicalId: dbIdOf },
  traits: { database: { requiresReplace: true, semantics: databaseReference }, ...tokenTraits },

  async read(_id, known, from, context) {
    if (known === undefined) return { status: "absent", message: sqlToken.unimportable };
    const id = dbIdOf(known.database);
    const reading = await database.read(
      id,
      { groupId: known.groupId, organizationId: known.organizationId },
      from,
      context,
    );
    return readThroughOwner(
      { kind: database, id, reading },
      known,
      ({ groupId }) => ({ groupId: String(groupId) }),
      context,
    );
  },

  async create(wanted, context) {
    const { api, organization } = context.platform;
    const { expiration, authorization } = wanted;
    const organizationId = await organization.id();
    const owner = await databaseOf(wanted.database, context);
    const query = { expiration, authorization };
    const { jwt } = await api
      .createDatabaseTokenById({ databaseId: owner.database, query })
      .catch(warnIfLost(`database ${owner.database}`));
    return { id: randomUUID(), state: { ...owner, ...issued(jwt, wanted), organizationId } };
  },

  delete: async (_id, observed, context) => warnNotRevocable(`database ${observed.database}`, observed, context),

  preflight: {
    create: async ({ database: wanted }, context) =>
      wanted === undefined ? undefined : databaseMissing(wanted, context),
  },
});
