import { createHash, createPrivateKey } from "node:crypto";
import { type CryptoKey, errors, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Ids } from "../ids";
import { refuse } from "../messages";
import type { State } from "../store/schema";
import { changeSetting, findSetting } from "../store/settings";
import type { Store } from "../store/store";

/** The complete claims of a platform token, which has no `iat`, `exp`, `iss` or `aud` (wire-facts 5.5). */
export interface Claims {
  jti: string;
  org_id?: number;
  group_uuid?: string;
  scopes?: { scopes: readonly string[] };
}

export const ALGORITHM = "EdDSA";

/**
 * Returns the hash of a `jti`. The store keeps only the hash, so that nobody can recreate a token from the stored data.
 */
export const jtiHash = (jti: string): string => createHash("sha256").update(jti).digest("base64url");

/**
 * Maximum number of verified tokens to cache. Without the cache, verifying the token would take longer than all other
 * processing of a request.
 */
const REMEMBERED = 10_000;

/** Signs and verifies tokens with the key in the store. */
export class Signer {
  /** The hash of the `jti` of at most `REMEMBERED` tokens. */
  readonly #verified = new Map<string, string>();

  readonly #privateKey: CryptoKey;
  readonly #publicKey: CryptoKey;

  /** The key that verifies the tokens of this signer. */
  readonly publicPart: JWK;

  private constructor(privateKey: CryptoKey, publicKey: CryptoKey, publicPart: JWK) {
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.publicPart = publicPart;
  }

  static async of(store: Store, ids: Ids): Promise<Signer> {
    const stored = await store.transaction([], async (state) => {
      const known = await findSetting(state, "signing-key");
      if (known !== undefined) return known;
      const fresh = JSON.stringify(newSigningKey(await ids.bytes(state)));
      await changeSetting(state, "signing-key", fresh);
      return fresh;
    });
    const { d, ...publicPart }: JWK = JSON.parse(stored);
    return new Signer(await cryptoKeyOf({ d, ...publicPart }), await cryptoKeyOf(publicPart), publicPart);
  }

  sign(claims: Claims): Promise<string> {
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: ALGORITHM, typ: "JWT" }).sign(this.#privateKey);
  }

  /** Verifies a token and returns the hash of its `jti`, which identifies the token in the store. */
  async jtiHashOf(state: State, token: string): Promise<string> {
    const known = this.#verified.get(token);
    if (known !== undefined) return known;
    if (token.split(".").length !== 3) throw refuse.tokenMalformed();
    const payload = (await payloadSignedBy(token, this.#publicKey)) ?? (await payloadByLoadedKey(state, token));
    if (payload?.jti === undefined) throw refuse.tokenUnknown();
    if (this.#verified.size >= REMEMBERED) this.#verified.clear();
    const hash = jtiHash(payload.jti);
    this.#verified.set(token, hash);
    return hash;
  }
}

/** Returns the payload of a token, or `undefined` if the token is not signed by this key. */
async function payloadSignedBy(token: string, key: CryptoKey): Promise<JWTPayload | undefined> {
  try {
    return (await jwtVerify(token, key, { algorithms: [ALGORITHM] })).payload;
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return undefined;
    throw thrown;
  }
}

async function payloadByLoadedKey(state: State, token: string): Promise<JWTPayload | undefined> {
  for (const key of await loadedKeys(state)) {
    const payload = await payloadSignedBy(token, await cryptoKeyOf(key));
    if (payload) return payload;
  }
  return undefined;
}

/** Returns the public keys that verify the tokens in a snapshot that was saved with other data. */
export const loadedKeys = async (state: State): Promise<JWK[]> =>
  JSON.parse((await findSetting(state, "loaded-keys")) ?? "[]");

async function cryptoKeyOf(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error("the signing key in the store is not a key pair");
  return key;
}

/** The PKCS #8 prefix that precedes the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export const newSigningKey = (bytes: Buffer): JWK =>
  createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: "der", type: "pkcs8" }).export({
    format: "jwk",
  }) as JWK;
