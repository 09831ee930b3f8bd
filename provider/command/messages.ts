import type { Facts } from "../facts";

export const inputName = ({ file }: Facts<"file">) => (file === "-" ? "standard input" : file);

export const unreadableFile = ({ content, file, reason }: Facts<"content" | "file" | "reason">) =>
  `could not read the ${content} ${file}: ${reason}`;
