import { message } from "../values/message";

/** The public service's message for an invalid role (wire-facts 1.5). Do not reword it. */
export const INVALID_ROLE = "invalid role";

export const notWholeNumber = message(
  (largest: number, given: string) => `must be a whole number from 1 to ${largest}, but is "${given}"`,
  [1000, "0"],
);
export const WRONG_KEY_LENGTH = "must be base64 of as many bytes as the cipher requires";
