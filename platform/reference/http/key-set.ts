import { listPublicKeys } from "../store/signing-keys";
import type { Store } from "../store/store";

/** RFC 7517: the public keys of SQL-engine tokens, never the key of platform tokens (§1). */
export const keySet = (store: Store) =>
  store.read(async (state) => {
    const keys = await listPublicKeys(state);
    return { keys: keys.map(({ id, jwk }) => ({ ...JSON.parse(jwk), kid: id, alg: "EdDSA", use: "sig" })) };
  });
