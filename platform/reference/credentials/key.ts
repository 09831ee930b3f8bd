import { createPrivateKey } from "node:crypto";
import type { JWK } from "jose";

/** The PKCS #8 prefix that precedes the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export const newKey = (bytes: Buffer): JWK =>
  createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: "der", type: "pkcs8" }).export({
    format: "jwk",
  }) as JWK;
