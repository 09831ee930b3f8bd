/** How users call the command, which is a part of `dbplatform` too, and with which program they use it. */
export interface CommandName {
  /** The words in a shell that has the command, such as `dbplatform api`. */
  readonly words: string;
  /** The words that work wherever npm does, for examples. */
  readonly npx: string;
  /** The program for which `serve` prepares a shell, and a command to begin with. */
  readonly client: { readonly name: string; readonly firstCommand: string };
  /** Commands of `seed` that are other programs, which the help lists, with their summaries. */
  readonly otherSeedCommands?: Readonly<Record<string, string>>;
}
