import { importJWK, SignJWT } from "jose";
import * as z from "zod";
import { FineGrainedPermission } from "../../contract/sql-token";
import type { Ids } from "../ids";
import type { State } from "../store/schema";
import type { Store } from "../store/store";
import { ALGORITHM, newSigningKey } from "./signer";
import { addSigningKey, findSigningKey, listPublicKeys, type SigningKey } from "./signing-keys";

/**
 * Claims of a SQL-engine token (wire-facts 2.3). A token names a database (`id`) or a group (`gid`). `p` lists the
 * DbIds that may be attached for reading. `perm` is our own claim, because the public service's form of fine-grained
 * permissions is not documented.
 */
export const SqlClaims = z.object({
  iat: z.number(),
  exp: z.number().optional(),
  a: z.enum(["rw", "ro"]),
  id: z.string().optional(),
  gid: z.string().optional(),
  p: z.object({ roa: z.object({ ns: z.array(z.string()) }) }).optional(),
  perm: z.array(FineGrainedPermission()).optional(),
});

export type SqlClaims = z.output<typeof SqlClaims>;

/**
 * Mints a SQL-engine token. Tokens are not stored, so only rotating the signing key revokes a token before it expires.
 */
export async function mintSqlToken(state: State, ids: Ids, claims: SqlClaims): Promise<string> {
  const { id, jwk, secret } = await signingKeyOf(state, ids, claims.id ?? claims.gid ?? "");
  const key = await importJWK({ ...JSON.parse(jwk), d: secret }, ALGORITHM);
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid: id }).sign(key);
}

/** Returns the key that signs tokens for this database or group, and creates the key on first use. */
async function signingKeyOf(state: State, ids: Ids, ownerId: string): Promise<SigningKey> {
  const known = await findSigningKey(state, ownerId);
  if (known) return known;
  const { d = "", ...publicPart } = newSigningKey(await ids.bytes(state));
  const fresh = { id: await ids.uuid(state), owner_id: ownerId, jwk: JSON.stringify(publicPart), secret: d };
  await addSigningKey(state, fresh);
  return fresh;
}

/**
 * Returns the public keys that verify SQL-engine tokens, as a JSON Web Key Set (RFC 7517). The set never includes the
 * key of platform tokens (§1).
 */
export const sqlTokenKeySet = (store: Store) =>
  store.read(async (state) => {
    const keys = await listPublicKeys(state);
    return { keys: keys.map(({ id, jwk }) => ({ ...JSON.parse(jwk), kid: id, alg: "EdDSA", use: "sig" })) };
  });
