/**
 * A message for users: a function that puts facts into a text. Contains example facts, which `npm run messages` prints.
 */
export interface Message<Facts extends readonly unknown[], Text> {
  (...facts: Facts): Text;
  readonly examples: readonly Facts[];
}

/**
 * Defines a message for users. All messages are defined in a file `messages.ts` beside the code that uses them.
 *
 * @param examples Facts to print the message with: one set for each variant of the message.
 */
export const message = <Facts extends readonly unknown[], Text>(
  text: (...facts: Facts) => Text,
  ...examples: readonly [NoInfer<Facts>, ...NoInfer<Facts>[]]
): Message<Facts, Text> => Object.assign((...facts: Facts) => text(...facts), { examples });
