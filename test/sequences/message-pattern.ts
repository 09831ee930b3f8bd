/** Placeholder that matches and captures one word of a message. */
export const WORD = "…";

/** Placeholder that matches one word of a message, without capturing the word. */
export const ANY = "‥";

/** Placeholder that matches several words of a message, without capturing the words. */
export const WORDS = "․";

export const patternOf = (...messages: readonly (string | RegExp)[]): RegExp =>
  new RegExp(messages.map((text) => (typeof text === "string" ? escaped(text) : text.source)).join("|"));

const escaped = (text: string): string =>
  text
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(WORD, "(\\S+)")
    .replaceAll(ANY, "\\S+")
    .replaceAll(WORDS, ".*?");
