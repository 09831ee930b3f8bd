import { message } from "../../platform/values/message";

/** Returns the name of a command's input file as shown in messages. `-` means standard input. */
export const inputName = message((path: string) => (path === "-" ? "standard input" : path), ["preview.json"], ["-"]);
