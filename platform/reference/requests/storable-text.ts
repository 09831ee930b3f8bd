import { holdsToken } from "../credentials/redact";
import { refuse } from "../messages";

/**
 * Returns whether every database engine can store the text: PostgreSQL rejects U+0000, and UTF-8 cannot encode lone
 * surrogates.
 */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/**
 * Rejects text that some database engine cannot store. Also rejects text that contains a token, because tokens must
 * never be stored.
 */
export function assertStorableText(text: string): void {
  if (!isStorableText(text)) throw refuse.notStorable();
  if (holdsToken(text)) throw refuse.misplacedToken();
}
