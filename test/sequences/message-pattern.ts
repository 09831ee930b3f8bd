/** Stands for a word of a message, which the pattern captures. */
export const WORD = "…";

/** Stands for a word of a message, which the pattern does not capture. */
export const ANY = "‥";

/** Stands for several words of a message, which the pattern does not capture. */
export const WORDS = "․";

/** Returns a pattern that matches any of the messages. */
export const patternOf = (...messages: readonly (string | RegExp)[]): RegExp =>
  new RegExp(messages.map((text) => (typeof text === "string" ? escaped(text) : text.source)).join("|"));

const escaped = (text: string): string =>
  text
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(WORD, "(\\S+)")
    .replaceAll(ANY, "\\S+")
    .replaceAll(WORDS, ".*?");
