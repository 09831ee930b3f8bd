import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client";
import ts from "typescript";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { root } from "../../tools/run";
import { blocksOf } from "./blocks";

const PAGES = ["docs/reference-api.md", "docs/reference-api-sql.md", "docs/reference-api-rules.md"];

const MOST_CHARACTERS = 300;

test.each(PAGES)(`no cell of a table in %s has more than ${MOST_CHARACTERS} characters`, (page) => {
  const rows = readFileSync(join(root, page), "utf8").match(/^\| .*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(3);
  const cells = rows.flatMap((row) => row.slice(2, -2).split(" | "));
  expect(cells.filter(({ length }) => length > MOST_CHARACTERS)).toEqual([]);
});

/** Runs the first TypeScript block of a page, and returns the values of these variables of the block. */
async function run(page: string, ...variables: readonly string[]): Promise<unknown> {
  const [program] = blocksOf(page).filter(({ language }) => language === "typescript");
  const code = ts.transpile((program?.text ?? "").replaceAll(/^import .*$/gm, ""), { target: ts.ScriptTarget.ES2022 });
  const play = new Function(
    "startReferenceApi",
    "createClient",
    `return (async () => {\n${code}\nreturn { ${variables} };\n})();`,
  );
  return play(startReferenceApi, createClient);
}

describe("the program of a page runs as it stands", () => {
  test("docs/reference-api.md: its last line ends the server", async () => {
    const { url } = (await run("docs/reference-api.md", "url")) as { url: string };
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });

  test("docs/testing.md: a database with a row, which the snapshot brings back", async () => {
    const { platform, orders } = (await run("docs/testing.md", "platform", "orders")) as {
      platform: ReferenceApi;
      orders: Client;
    };
    onTestFinished(() => platform.close());
    await orders.execute("delete from items");
    await platform.load("seeded");
    expect((await orders.execute("select name from items")).rows.map(({ name }) => name)).toEqual(["tea"]);
  });
});
