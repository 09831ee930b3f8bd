/** A text for users: a function of the facts in it, with example facts for `npm run messages`. */
export interface Message<Facts extends readonly unknown[], Text> {
  (...facts: Facts): Text;
  readonly examples: readonly Facts[];
}

/**
 * Defines a text for users. Every such text is defined in a file `messages.ts` beside the code that uses it.
 *
 * @param examples Facts to print the text with; one set for each variant of the text.
 */
export const message = <Facts extends readonly unknown[], Text>(
  text: (...facts: Facts) => Text,
  ...examples: readonly [NoInfer<Facts>, ...NoInfer<Facts>[]]
): Message<Facts, Text> => Object.assign((...facts: Facts) => text(...facts), { examples });
