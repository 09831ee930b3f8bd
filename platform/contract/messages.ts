import type { Facts } from "../values/facts";

/** The public service's message for an invalid role (wire-facts 1.5). Do not reword it. */
export const INVALID_ROLE = "invalid role";

export const notWholeNumber = ({ largest, text }: Facts<"largest" | "text">) =>
  `must be a whole number from 1 to ${largest}, but is "${text}"`;

// Encryption. These messages do not repeat the value, because it may be a key (decision 109).

export const KEY_NOT_TEXT = "must be text";
export const ENCRYPTION_NOT_OBJECT = "must be a JSON object with `encryption_key` and `encryption_cipher`";
export const unknownCipher = ({ ciphers }: Facts<"ciphers">) => `must be one of ${ciphers.join(", ")}`;
export const WRONG_KEY_LENGTH = "must be base64 of as many bytes as the cipher requires";
