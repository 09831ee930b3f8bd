/** Key length in bytes of each cipher that can encrypt a database (wire-facts 3.3). */
const KEY_LENGTHS = {
  aes256gcm: 32,
  aes128gcm: 16,
  chacha20poly1305: 32,
  aegis128l: 16,
  aegis128x2: 16,
  aegis128x4: 16,
  aegis256: 32,
  aegis256x2: 32,
  aegis256x4: 32,
} as const;

export type Cipher = keyof typeof KEY_LENGTHS;

export const CIPHERS = Object.keys(KEY_LENGTHS) as Cipher[];

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Returns whether the key is base64, with or without padding, and has the length that the cipher requires. */
export function isCipherKey(cipher: Cipher, key: string): boolean {
  const length = Math.floor((key.replace(/=+$/, "").length * 3) / 4);
  return BASE64.test(key) && length === KEY_LENGTHS[cipher];
}

export const keyLengthOf = (cipher: Cipher): number => KEY_LENGTHS[cipher];

/** Returns whether two Base64 strings, with or without padding, encode the same key. */
export const isSameKey = (one: string, other: string): boolean =>
  Buffer.from(one, "base64").equals(Buffer.from(other, "base64"));
