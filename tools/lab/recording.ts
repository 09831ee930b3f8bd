import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { blocksOf, commandsIn } from "../../test/docs/blocks";
import { resultOf } from "../platform-call";
import { linkModules } from "../project";
import { ensurePulumiCli } from "../pulumi-cli/ensure";
import { build, root } from "../run";
import { connect } from "../sql-prompt";
import { TemporaryProject } from "../temporary-project";

const FILE = join(root, "docs/restore.svg");
/** The first character of a terminal sequence that moves the cursor or changes colours. */
const ESCAPE = String.fromCharCode(27);
const COLUMNS = 118;
const MOST_LINES = 30;
const LINE_PIXELS = 19;
const CHARACTER_PIXELS = 7.8;

/** GitHub's colours, in its light and in its dark scheme. */
const BACKGROUND = ["#f6f8fa", "#22272e"];
const TEXT = ["#1f2328", "#adbac7"];
/** Colours by their number in terminal sequences. */
const COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  1: ["#cf222e", "#f47067"],
  2: ["#1a7f37", "#8ddb8c"],
  3: ["#9a6700", "#f69d50"],
  5: ["#8250df", "#dcbdfb"],
  8: ["#656d76", "#768390"],
  12: ["#0969da", "#6cb6ff"],
  13: ["#8250df", "#dcbdfb"],
};

/**
 * Records the README's picture: its story, with a row that the database contains before its deletion and after its
 * restoration.
 */
export async function recordRestoration(): Promise<void> {
  const { bin } = await ensurePulumiCli();
  await build();
  const stage = new TemporaryProject(bin);
  try {
    const platform = await stage.platform();
    writeStory(stage.project);
    // Runs commands in a pseudo-terminal, because the CLI draws its resource tree only on a terminal.
    const run = (command: string) =>
      stage.record(platform, ["script", "-qec", `stty cols ${COLUMNS} rows 60; ${command}`, "/dev/null"]);
    await run("pulumi stack init dev");
    await run("pulumi up --yes --skip-preview");
    const slug = { organizationSlug: platform.organization };
    const [orders] = (await resultOf(platform, "listDatabases", slug)).databases;
    if (orders === undefined) throw new Error("the program has made no database");
    const query = await connect(platform, orders);
    await query("CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT, quantity INTEGER)");
    await query("INSERT INTO orders (item, quantity) VALUES ('tea', 2)");
    const shownBy = async (command: string) => [`$ ${command}`, ...screenOf(await run(command))];

    const row = await query("SELECT * FROM orders");
    const deletion = await shownBy(deletionInStory());
    const preview = await shownBy("pulumi preview");
    const update = await shownBy("pulumi up --yes --skip-preview");
    const again = await query("SELECT * FROM orders");
    if (again !== row) throw new Error(`the row has not come back: ${again}`);
    const green = row.replace(/^\{.*$/gm, `${ESCAPE}[38;5;2m$&${ESCAPE}[0m`).split("\n");
    const parts = [green, deletion, until("Resources:", preview), until("Diagnostics:", update), green];
    const lines = parts.flatMap((part, index) => (index === 0 ? part : ["", ...part])).flatMap(wrapped);
    if (lines.length > MOST_LINES) throw new Error(`${lines.length} lines are too many:\n${lines.join("\n")}`);
    writeFileSync(FILE, picture(lines));
  } finally {
    await stage.clear();
  }
}

/** Writes the files that the README's story shows, and the one that its `npm install` creates. */
function writeStory(project: string): void {
  linkModules(project);
  writeFileSync(join(project, "package.json"), "{}\n");
  for (const [file, language] of Object.entries({ "Pulumi.yaml": "yaml", "index.ts": "typescript" })) {
    const block = story.find((block) => block.language === language);
    if (block === undefined) throw new Error(`the README does not show ${file}`);
    writeFileSync(join(project, file), block.text);
  }
}

const story = blocksOf("README.md");

/** Returns the command with which the README's story deletes the database. */
function deletionInStory(): string {
  const [deletion] = commandsIn(story).filter(({ command }) => command.startsWith("curl -X DELETE"));
  if (deletion === undefined) throw new Error("the README deletes no database");
  return deletion.command;
}

/** Returns the lines before a section of Pulumi's output, followed by `…` in place of the section and all later ones. */
function until(section: string, lines: readonly string[]): string[] {
  const texts = lines.map((line) => stripVTControlCharacters(line).trim());
  const at = texts.indexOf(section);
  if (at < 0) throw new Error(`Pulumi has not printed ${section}`);
  // Drops the empty lines that remain where Pulumi has drawn a longer tree before.
  const isShown = (index: number) => texts[index] !== "" || (index + 1 < at && texts[index + 1] !== "");
  return [...lines.slice(0, at).filter((_, index) => isShown(index)), "…"];
}

const UP = new RegExp(`${ESCAPE}\\[(\\d+)A`);
const CONTROLS = new RegExp(`${ESCAPE}(?:\\[[\\d;?]*[A-Zhln]|\\][^${ESCAPE}]*${ESCAPE}\\\\)`, "g");

/**
 * Returns the lines that a terminal shows after the command has ended. Pulumi redraws its resource tree repeatedly,
 * and only the last drawing stays on the terminal.
 */
function screenOf(output: string): string[] {
  const rows: string[] = [];
  let row = 0;
  for (const [index, line] of output.replaceAll("\r", "").split("\n").entries()) {
    if (index > 0) row++;
    const [, up] = UP.exec(line) ?? [];
    row -= Number(up ?? 0);
    rows[row] = line.replace(CONTROLS, "");
  }
  const written = Array.from(rows, (text = "") => text.trimEnd());
  return written.slice(written.findIndex(Boolean), written.findLastIndex(Boolean) + 1);
}

function picture(lines: readonly string[]): string {
  const [width, height] = [Math.ceil(COLUMNS * CHARACTER_PIXELS) + 32, lines.length * LINE_PIXELS + 32];
  const texts = lines.map(
    (line, index) => `<text x="16" y="${index * LINE_PIXELS + 30}" xml:space="preserve">${coloured(line)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">`,
    "<title>A deleted database, found by a preview and restored with its row by an update</title>",
    `<style>${styleIn(0)} @media (prefers-color-scheme: dark) { ${styleIn(1)} }</style>`,
    `<rect width="100%" height="100%" rx="8"/>`,
    ...texts,
    "</svg>\n",
  ].join("\n");
}

/** Returns the style sheet of the light (0) or dark (1) colour scheme. */
const styleIn = (scheme: 0 | 1): string =>
  [
    `rect { fill: ${BACKGROUND[scheme]} }`,
    `text { fill: ${TEXT[scheme]} }`,
    ...Object.entries(COLOURS).map(([number, colours]) => `.c${number} { fill: ${colours[scheme]} }`),
  ].join(" ");

const COLOURING = new RegExp(`(${ESCAPE}\\[[\\d;]*m)`);

/** Wraps a line that is too wide for the picture, breaking it only between words. */
function wrapped(line: string): string[] {
  const lines = [""];
  let column = 0;
  for (const part of line.split(COLOURING))
    for (const word of COLOURING.test(part) ? [part] : part.split(/(?<= )/)) {
      const width = COLOURING.test(word) ? 0 : word.length;
      if (column + width > COLUMNS) {
        lines.push("      ");
        column = 6;
      }
      lines[lines.length - 1] += word;
      column += width;
    }
  return lines;
}

function coloured(line: string): string {
  let colouring = "";
  const spans = line.split(COLOURING).map((part) => {
    if (!COLOURING.test(part)) return part && `<tspan${colouring}>${escaped(part)}</tspan>`;
    const [, colour] = /38;5;(\d+)m/.exec(part) ?? [];
    if (part.endsWith("[0m")) colouring = "";
    else if (colour && COLOURS[colour]) colouring = ` class="c${colour}"`;
    return "";
  });
  return spans.join("");
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
