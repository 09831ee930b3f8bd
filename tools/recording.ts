import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { installExample } from "./project";
import { ensurePulumiCli } from "./pulumi-cli/ensure";
import { build, root } from "./run";
import { connect } from "./sql-prompt";
import { TemporaryProject } from "./temporary-project";

const FILE = join(root, "docs/restore.svg");
/** The first character of a terminal sequence that moves the cursor or changes colours. */
const ESCAPE = String.fromCharCode(27);
const COLUMNS = 118;
const LINE_PIXELS = 19;
const CHARACTER_PIXELS = 7.8;

const COLOURS: Readonly<Record<string, string>> = {
  1: "#f47067",
  2: "#8ddb8c",
  3: "#f69d50",
  5: "#dcbdfb",
  8: "#768390",
  12: "#6cb6ff",
  13: "#dcbdfb",
};

/**
 * Records the README's picture: a row in a database, the Pulumi output when the deleted database is found and restored,
 * and the same row again.
 */
export async function recordRestoration(): Promise<void> {
  const { bin } = await ensurePulumiCli();
  await build();
  const stage = new TemporaryProject(bin);
  try {
    const platform = await stage.platform();
    installExample("quickstart", stage.project);
    // Runs the CLI in a pseudo-terminal, because the CLI draws its resource tree only on a terminal.
    const pulumi = (...args: string[]) =>
      stage.record(platform, ["script", "-qec", `stty cols ${COLUMNS} rows 60; pulumi ${args.join(" ")}`, "/dev/null"]);
    await stage.record(platform, ["pulumi", "stack", "init", "dev", "--non-interactive"]);
    await pulumi("up", "--yes", "--skip-preview");
    const headers = { authorization: `Bearer ${platform.apiToken}` };
    const databases = `${platform.url}/v1/organizations/${platform.organization}/databases`;
    const answer = await request(databases, { headers });
    const [orders] = ((await answer.body.json()) as { databases: [{ Name: string; DbId: string }] }).databases;
    const query = await connect(platform, orders);
    await query("CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT, quantity INTEGER)");
    await query("INSERT INTO orders (item, quantity) VALUES ('tea', 2)");
    const row = await query("SELECT * FROM orders");
    const fromCli = { ...headers, "user-agent": "turso-cli/1.0.0 (linux/amd64)" };
    await request(`${databases}/${orders.Name}`, { method: "DELETE", headers: fromCli });
    const preview = await pulumi("preview");
    const up = await pulumi("up", "--yes", "--skip-preview");
    const again = await query("SELECT * FROM orders");
    if (again !== row) throw new Error(`the row has not come back: ${again}`);
    const green = row.replace(/^\{.*$/gm, `${ESCAPE}[38;5;2m$&${ESCAPE}[0m`);
    const commands = [
      green,
      ["$ pulumi preview", ...screenOf(preview)].join("\n"),
      ["$ pulumi up --yes --skip-preview", ...screenOf(up)].join("\n"),
      green,
    ];
    writeFileSync(FILE, picture(commands.join("\n\n").split("\n")));
  } finally {
    await stage.clear();
  }
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

function picture(recorded: readonly string[]): string {
  const lines = recorded.flatMap(wrapped);
  const [width, height] = [Math.ceil(COLUMNS * CHARACTER_PIXELS) + 32, lines.length * LINE_PIXELS + 32];
  const texts = lines.map(
    (line, index) => `<text x="16" y="${index * LINE_PIXELS + 30}" xml:space="preserve">${coloured(line)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">`,
    "<title>A deleted database, found by a preview and restored with its row by an update</title>",
    `<rect width="100%" height="100%" rx="8" fill="#22272e"/><g fill="#adbac7">`,
    ...texts,
    "</g></svg>\n",
  ].join("\n");
}

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
  let fill = "";
  const spans = line.split(COLOURING).map((part) => {
    if (!COLOURING.test(part)) return part && `<tspan${fill}>${escaped(part)}</tspan>`;
    const [, colour] = /38;5;(\d+)m/.exec(part) ?? [];
    if (part.endsWith("[0m")) fill = "";
    else if (colour && COLOURS[colour]) fill = ` fill="${COLOURS[colour]}"`;
    return "";
  });
  return spans.join("");
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
