import type { Facts } from "../facts";

/** Names a command's input file. */
export const inputName = ({ file }: Facts<"file">) => (file === "-" ? "standard input" : file);

export const unreadableFile = ({ contents, file, reason }: Facts<"contents" | "file" | "reason">) =>
  `could not read the ${contents} ${file}: ${reason}`;
