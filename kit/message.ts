/** A function that builds a message for users, with sample arguments for `npm run messages`. */
export interface Message<Facts extends readonly unknown[], Text> {
  (...facts: Facts): Text;
  readonly examples: readonly Facts[];
}

/**
 * Defines a message for users. Messages belong in a file `messages.ts` beside the code that uses them.
 *
 * @param examples Sample arguments for the message, one list for each variant of its text.
 */
export const message = <Facts extends readonly unknown[], Text>(
  text: (...facts: Facts) => Text,
  ...examples: readonly [NoInfer<Facts>, ...NoInfer<Facts>[]]
): Message<Facts, Text> => Object.assign((...facts: Facts) => text(...facts), { examples });
