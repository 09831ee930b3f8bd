/** Stands for a word in the facts of a message; the pattern captures the word. */
export const WORD = "…";

/** Stands for a word in the facts of a message that the pattern does not capture. */
export const ANY = "‥";

/** Stands for any words in the facts of a message; the pattern does not capture them. */
export const WORDS = "․";

/** Returns a pattern that matches each of the messages. */
export const patternOf = (...messages: readonly (string | RegExp)[]): RegExp =>
  new RegExp(messages.map((text) => (typeof text === "string" ? escaped(text) : text.source)).join("|"));

const escaped = (text: string): string =>
  text
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(WORD, "(\\S+)")
    .replaceAll(ANY, "\\S+")
    .replaceAll(WORDS, ".*?");
