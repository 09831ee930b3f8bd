import { listPublicKeys } from "../store/signing-keys";
import type { Store } from "../store/store";

/**
 * Returns the public keys that verify SQL-engine tokens, as a JSON Web Key Set (RFC 7517). The set never includes the
 * key of platform tokens (§1).
 */
export const keySet = (store: Store) =>
  store.read(async (state) => {
    const keys = await listPublicKeys(state);
    return { keys: keys.map(({ id, jwk }) => ({ ...JSON.parse(jwk), kid: id, alg: "EdDSA", use: "sig" })) };
  });
