// @module-tag more
// @module-tag all-drift-is-shown

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";
import { engineFixture } from "./engine-fixture";
import type { Stack } from "./stack";
import { yamlProject } from "./yaml-project";

const DAY = 86_400;

const PROGRAM = `
resources:
  orders:
    type: dbplatform:Database
    properties: { group: default, name: orders }
  configuration:
    type: dbplatform:DatabaseConfiguration
    properties: { database: "\${orders.dbId}", blockWrites: true }
`;

const rows = readFileSync(join(root, "docs/drift.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.slice(2, -2).split(" | "));

/** Returns the rows in docs/drift.md whose first cell is `situation`, without that cell. */
const documented = (situation: string) => rows.filter(([first]) => first === situation).map(([, ...cells]) => cells);

const textsIn = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

/** Returns a pattern in which `…` matches any text. */
const patternOf = (text: string) =>
  new RegExp(
    text
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".+"),
    "s",
  );

interface JsonPreview {
  readonly changeSummary?: object;
  readonly diagnostics?: readonly { readonly message: string; readonly severity: string }[];
  readonly steps: readonly {
    readonly op: string;
    readonly detailedDiff?: object;
    readonly oldState?: { readonly outputs?: object };
  }[];
}

/** Runs a drift command with `--expect-no-changes`, and returns the exit code and standard output. */
const look = (stack: Stack, command: string) =>
  stack.shell(`pulumi ${command} --expect-no-changes --non-interactive --color never 2> /dev/null`);

/**
 * Runs the commands documented for a situation, compares exit codes and output with docs/drift.md, and returns the
 * parsed JSON preview.
 */
async function looksAsDocumented(stack: Stack, situation: string): Promise<JsonPreview> {
  const [table = [], [sentences = ""] = []] = documented(situation);
  expect(table).toHaveLength(3);
  let preview: JsonPreview = { steps: [] };
  for (const [index, command] of ["preview", "refresh --preview-only", "preview --refresh --json"].entries()) {
    const { code, output } = await look(stack, command);
    let shown = output;
    if (command.endsWith("--json")) {
      preview = JSON.parse(output);
      const messages = (preview.diagnostics ?? []).map(({ message }) => message);
      shown = [JSON.stringify(preview.changeSummary), ...messages].join("\n");
    }
    const [documentedCode, ...texts] = [Number.parseInt(table[index] ?? "", 10), ...textsIn(table[index])];
    expect({ command, code }).toEqual({ command, code: documentedCode });
    for (const text of texts) expect(shown).toContain(text);
    for (const sentence of textsIn(sentences)) expect(shown).toMatch(patternOf(sentence));
  }
  return preview;
}

test("each drift command prints the output and returns the exit code documented in docs/drift.md", async () => {
  const here = await engineFixture();
  const { outside, api } = here;
  const stack = await here.stack({ folder: yamlProject("shop", PROGRAM) });
  await stack.deploy();
  const made = await here.databases();
  here.takeWrites();
  await looksAsDocumented(stack, "Nothing changed");
  stack.setEnvironment({ DBPLATFORM_BASE_URL: "http://127.0.0.1:9" });
  await looksAsDocumented(stack, "The platform cannot be reached");
  stack.setEnvironment({ DBPLATFORM_BASE_URL: api.url });

  await outside.updateDatabaseConfiguration({
    organizationSlug: api.organization,
    databaseName: "orders",
    body: { block_writes: false },
  });
  const changed = await looksAsDocumented(stack, "A property was changed outside");
  expect(changed.diagnostics).toContainEqual(
    expect.objectContaining({ severity: "warning", message: expect.stringContaining("was changed outside Pulumi") }),
  );
  expect(changed.steps).toContainEqual(expect.objectContaining({ op: "update", diffReasons: ["blockWrites"] }));
  await stack.deploy();

  await here.deleteDatabase(String(made.orders));
  here.takeWrites();
  const deleted = await looksAsDocumented(stack, "A database was deleted outside and can be restored");
  expect(deleted.diagnostics).toContainEqual(
    expect.objectContaining({ severity: "warning", message: expect.stringContaining("was deleted by ada") }),
  );
  expect(deleted.steps).toContainEqual(
    expect.objectContaining({
      op: "update",
      detailedDiff: { deletedAt: { kind: "delete", inputDiff: false } },
      oldState: expect.objectContaining({
        outputs: expect.objectContaining({ deletedAt: expect.any(String), restorableUntil: expect.any(String) }),
      }),
    }),
  );
  const plain = await stack.cli("refresh", "--preview-only");
  expect(plain.code).toBe(0);
  expect(plain.output).toContain("Database orders update [diff: +deletedAt]");

  const inState = async () => {
    const { deployment } = await stack.exportState();
    return deployment.resources.some(({ id }: { id?: string }) => id === made.orders);
  };
  const refresh = async () => (await look(stack, "refresh --yes --skip-preview")).code;
  expect([await refresh(), await refresh()]).toEqual([7, 7]);
  expect(await inState()).toBe(true);
  expect(here.takeWrites()).toEqual([]);
  await stack.deploy();
  expect(await here.databases()).toEqual(made);

  await here.deleteDatabase(String(made.orders));
  await api.advance(6 * DAY);
  await looksAsDocumented(stack, "A database was deleted for good");
  expect(await inState()).toBe(true);
  expect([await refresh(), await refresh()]).toEqual([7, 0]);
  expect(await inState()).toBe(false);
});
