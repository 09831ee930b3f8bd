import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unreleasedText } from "../../tools/release/pages";
import { root } from "../../tools/run";

/** A fenced or indented code block on a page. */
export interface CodeBlock {
  readonly page: string;
  /** The language of a fenced block; `sh` for an indented block. */
  readonly language: string;
  readonly text: string;
}

/** A command on a page, with the output shown below it. */
export interface ShownCommand {
  readonly command: string;
  readonly output?: string;
}

/** All documentation pages for users except the generated pages. */
export const pages: readonly string[] = globSync(["README.md", "docs/*.md", "examples/**/README.md"], {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
}).sort();

const BLOCK = /^```(?<language>\w*)\n(?<fenced>.*?)^```$|(?<=\n\n)(?<indented>(?: {4}\S[^\n]*\n)+)/gms;

export function blocksOf(page: string): CodeBlock[] {
  const text = unreleasedText(readFileSync(join(root, page), "utf8"));
  return [...text.matchAll(BLOCK)].map(({ groups: { language, fenced, indented = "" } = {} }) => ({
    page,
    language: language ?? "sh",
    text: fenced ?? indented.replaceAll(/^ {4}/gm, ""),
  }));
}

/**
 * Returns the commands in the blocks of a page, in order. A `console` block shows commands after `$`, each with its
 * output. A block without a language is the output of the preceding command.
 */
export function commandsIn(blocks: readonly CodeBlock[]): ShownCommand[] {
  const commands: ShownCommand[] = [];
  for (const { language, text } of blocks) {
    if (language === "sh") commands.push(...text.split("\n").flatMap((command) => (command ? { command } : [])));
    if (language === "console")
      for (const [, command = "", output = ""] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm))
        commands.push({ command, output });
    const last = commands.at(-1);
    if (language === "" && last) commands[commands.length - 1] = { ...last, output: `…\n${text}…\n` };
  }
  return commands;
}

/**
 * Replaces everything that differs between runs, such as ids and times, with placeholders, and trims trailing
 * whitespace.
 */
export const normalized = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "<instant>")
    .replaceAll(/-[0-9a-f]{7}\b/g, "-<hash>")
    // Pulumi prints these lines only when a run takes long.
    .replaceAll(/^ ?@ .*\n/gm, "")
    .replaceAll(/ +$/gm, "");

/** Returns whether a command's output matches what the page shows. A line with only `…` matches any number of lines. */
export function isShown(shown: string, output: string): boolean {
  const [first = "", ...others] = `\n${normalized(shown)}`.split("\n…\n");
  let rest = `\n${normalized(output)}`;
  if (!rest.startsWith(first)) return false;
  rest = rest.slice(first.length);
  for (const part of others) {
    const place = rest.indexOf(`\n${part}`);
    if (place < 0) return false;
    rest = rest.slice(place + part.length + 1);
  }
  return others.at(-1) === "" || rest.trim() === "";
}
