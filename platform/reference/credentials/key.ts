import { createPrivateKey } from "node:crypto";
import type { JWK } from "jose";

/** What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** The Ed25519 key pair of these 32 bytes. */
export const newKey = (bytes: Buffer): JWK =>
  createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: "der", type: "pkcs8" }).export({
    format: "jwk",
  }) as JWK;
