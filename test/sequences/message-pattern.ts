/** Placeholder that matches and captures one word of a message. */
export const WORD = "…";

/** Stands for one word of a message, which the pattern ignores. */
export const ANY = "‥";

/** Stands for several words of a message, which the pattern ignores. */
export const WORDS = "․";

export const patternOf = (...messages: readonly (string | RegExp)[]): RegExp =>
  new RegExp(messages.map((text) => (typeof text === "string" ? escaped(text) : text.source)).join("|"));

const escaped = (text: string): string =>
  text
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(WORD, "(\\S+)")
    .replaceAll(ANY, "\\S+")
    .replaceAll(WORDS, ".*?");
