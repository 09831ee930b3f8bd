/** How users call the command, which is a part of `dbplatform` too. */
export interface CommandName {
  /** The words in a shell that has the command, such as `dbplatform api`. */
  readonly words: string;
  /** The words that work wherever npm does. */
  readonly npx: string;
  /** Commands of `seed` that are other programs, which the help lists, with their summaries. */
  readonly otherSeedCommands?: Readonly<Record<string, string>>;
}
