import { message } from "../values/message";

/** The public service's message for an invalid role (wire-facts 1.5). Do not reword it. */
export const INVALID_ROLE = "invalid role";

export const notWholeNumber = message(
  (largest: number, given: string) => `must be a whole number from 1 to ${largest}, but is "${given}"`,
  [1000, "0"],
);
/**
 * Error messages for invalid encryption settings. They do not repeat the value, because it may be a key (decision 109).
 */
export const KEY_NOT_TEXT = "must be text";
export const ENCRYPTION_NOT_OBJECT = "must be a JSON object with `encryption_key` and `encryption_cipher`";
export const unknownCipher = message(
  (ciphers: readonly string[]) => `must be one of ${ciphers.join(", ")}`,
  [["aes256gcm", "aegis256"]],
);

export const WRONG_KEY_LENGTH = "must be base64 of as many bytes as the cipher requires";
