import { message } from "../../platform/values/message";

/** Names an input file of a command. `-` means standard input. */
export const inputName = message((path: string) => (path === "-" ? "standard input" : path), ["preview.json"], ["-"]);
