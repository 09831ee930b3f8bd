import { createHash } from "node:crypto";
import * as z from "zod";
import { logicalNameInUrn } from "../../kit/lifecycle/naming";
import { present } from "../../kit/lifecycle/properties";
import { durationOf } from "../../platform/values/duration";
import { type SqlTokenClaims, sqlTokenClaimsOf } from "../client/credential";
import type { Thing } from "../inventory/things";
import { database } from "../resources/database/database";
import { group } from "../resources/group/group";
import { databaseToken } from "../resources/token/database-token";
import { groupToken } from "../resources/token/group-token";
import { asSecret, contentOf, type ForeignResource, Secret, typeOf } from "./foreign-state";
import { ownerNotListed, TOKEN_PERMISSIONS, TOKEN_UNREADABLE, TOKEN_WITHOUT_END } from "./messages";

/** All objects in the organization, as the platform lists them. */
export interface Listed {
  readonly all: readonly Thing[];
  readonly organizationId: string;
}

/** The properties of a token in a state, with the names that celest-dev's providers and this one give them. */
const TokenState = z.object({
  database: z.string().optional(),
  group: z.string().optional(),
  token: z.union([z.string(), Secret]),
  expiration: z.string().optional(),
  /** Can be empty if the token never expires. */
  expiresAt: z.string().optional(),
  authorization: z.enum(["full-access", "read-only"]).optional(),
  readAttach: z.array(z.unknown()).nullish(),
  renewBefore: z.string().optional(),
  keepers: z.record(z.string(), z.string()).optional(),
});

interface ForeignToken extends Omit<z.output<typeof TokenState>, "database" | "group"> {
  readonly isForDatabase: boolean;
  /** Name or UUID of the database or group. */
  readonly owner: string | undefined;
}

/** Returns the token that a resource of a known type is, or the reason why it cannot be adopted. */
export function recordedToken(source: ForeignResource, type: string, listed: Listed): Thing | string {
  const { data } = TokenState.safeParse({ ...source.inputs, ...source.outputs });
  if (data === undefined) return TOKEN_UNREADABLE;
  const { database: ofDatabase, group: ofGroup, ...rest } = data;
  const isForDatabase = type === databaseToken.type;
  // Up to 0.1.5, a GroupToken of celest-dev's provider has the name of the group in `database`.
  const owner = isForDatabase ? ofDatabase : (ofGroup ?? ofDatabase);
  return tokenThing(source, { ...rest, isForDatabase, owner }, listed);
}

interface RecognizedToken {
  readonly jwt: string;
  readonly claims: SqlTokenClaims;
}

/** Returns a token that a state contains, or the reason why it cannot be adopted. */
export function recognizedToken(
  source: ForeignResource,
  { jwt: token, claims: { id, gid, a, iat, exp } }: RecognizedToken,
  listed: Listed,
): Thing | string {
  const expiration = exp === undefined ? undefined : `${exp - iat}s`;
  const authorization = a === "ro" ? "read-only" : "full-access";
  const owner = { isForDatabase: id !== undefined, owner: id ?? gid };
  return tokenThing(source, { ...owner, token, expiration, authorization }, listed);
}

/**
 * Returns a token with the state that this provider would have recorded when it was issued. The claims of a token in
 * plain text are more reliable than the rest of the state. The id is the same each time.
 */
function tokenThing(
  source: ForeignResource,
  { isForDatabase, token, expiration, authorization, renewBefore, keepers, ...rest }: ForeignToken,
  { all, organizationId }: Listed,
): Thing | string {
  const [jwt] = contentOf(token).texts;
  const claims = jwt === undefined ? undefined : sqlTokenClaimsOf(jwt);
  const { type } = isForDatabase ? database : group;
  const wanted = claims ? (claims.id ?? claims.gid) : rest.owner;
  const owner = all.find((thing) => thing.resource.type === type && (thing.id === wanted || thing.name === wanted));
  if (owner === undefined) return ownerNotListed({ type, wanted: wanted ?? "" });
  if (rest.readAttach?.length || claims?.p || claims?.perm) return TOKEN_PERMISSIONS;
  const end = claims ? (claims.exp ?? Number.NaN) * 1000 : Date.parse(rest.expiresAt ?? "");
  if (expiration !== undefined && durationOf(expiration) !== undefined && Number.isNaN(end)) return TOKEN_WITHOUT_END;
  const inputs = present({
    [isForDatabase ? "database" : "group"]: owner.id,
    expiration,
    authorization,
    renewBefore,
    keepers,
  });
  const outputs = present({
    ...inputs,
    expiration: expiration ?? "never",
    authorization: authorization ?? "full-access",
    token: asSecret(token),
    expiresAt: Number.isNaN(end) ? undefined : new Date(end).toISOString(),
    groupId: isForDatabase ? owner.parent : owner.id,
    groupName: isForDatabase ? undefined : owner.name,
    organizationId,
  });
  return {
    resource: isForDatabase ? databaseToken : groupToken,
    // Several resources of dynamic providers can contain the same token.
    id: uuidOf(`${owner.id} ${typeOf(source) === undefined ? jwt : source.urn}`),
    name: logicalNameInUrn(source.urn),
    parent: owner.id,
    container: owner,
    recorded: { inputs, outputs },
  };
}

const uuidOf = (text: string): string =>
  createHash("sha256")
    .update(text)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");

/** Returns whether a token of another state would be written in plain text. */
export const hasPlainSecret = ({ recorded }: Thing): boolean => contentOf(recorded?.outputs.token).texts.size > 0;
