import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { notDeleted, nothingDeleted, operationImpossible } from "../../kit/lifecycle/messages";
import { importedWithoutSecret } from "../../kit/lifecycle/restore/messages";
import { Refusal } from "../../kit/refusal";
import * as adopt from "../../provider/adopt/messages";
import { failedOperation, failedResponse } from "../../provider/client/messages";
import { printedMessages } from "../../tools/messages";
import { releasedText } from "../../tools/release/pages";
import { root } from "../../tools/run";
import { schema as packageSchema } from "../../tools/schema";
import { editor } from "../schema/editor";
import { blocksOf, pages } from "./blocks";
import { brokenLinksIn, linksIn } from "./links";

const textOf = (path: string) => readFileSync(join(root, path), "utf8");

const TITLE = 'database "orders"';

/** Prefixes of error messages, each followed by a colon and a reason. */
const ATTEMPTS = [
  ...(["create", "replace", "restore"] as const).map((operation) => operationImpossible({ operation, object: TITLE })),
  failedOperation({ action: "create database", method: "POST", path: "/v1/organizations/acme/databases" }),
  notDeleted({ title: TITLE, id: "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b" }),
  nothingDeleted({ kind: "database" }),
];

async function linesForUsers(): Promise<string[]> {
  const messages = (await printedMessages()).filter(({ file }) => !file.startsWith("platform/reference/"));
  const responses = [401, 429].map((status) => failedResponse({ status, error: "try later" }));
  return [...messages.map(({ text }) => text), ...responses].flatMap((answer) => [
    answer,
    ...ATTEMPTS.map((tried) => new Refusal("conflict", { tried, answer }).message),
  ]);
}

/** Prefixes of messages that no messages.ts file contains, each with the test that asserts the message. */
const FOREIGN: Readonly<Record<string, string>> = {
  "error resolving type of resource": "test/engine/troubleshooting.test.ts",
  "parsing plugin options for 'dbplatform': no folder at path": "test/engine/troubleshooting.test.ts",
  "exited prematurely": "test/engine/troubleshooting.test.ts",
  "the stack is currently locked by": "test/engine/troubleshooting.test.ts",
  "previously-imported resources that still specify an ID": "test/engine/interrupted-replacement.test.ts",
  "needs Node.js": "test/package/needed-node.test.ts",
  "to have an executable named": "test/package/package.test.ts",
};

/** Pulumi's own messages that no test asserts, because they depend on the network or on the language plugin. */
const UNTESTED = ["Could not automatically download", "installing packages", "method GenerateProgram not implemented"];

const headings = [...textOf("docs/troubleshooting.md").matchAll(/^### `(.*)`$/gm)].map(([, text = ""]) => text);
const isUnder = (text: string) => (heading: string) => heading.includes(text);
const foreign = [...Object.keys(FOREIGN), ...UNTESTED];

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

let lines: readonly string[];
beforeAll(async () => {
  lines = await linesForUsers();
});

test.each(headings.filter((heading) => !foreign.some((text) => heading.includes(text))))(
  "a heading in troubleshooting.md matches the beginning of a message: %s",
  (heading) => {
    const beginning = new RegExp(`^${heading.split("…").map(literally).join(".+")}`, "s");
    expect(lines).toContainEqual(expect.stringMatching(beginning));
  },
);

test.each(Object.entries(FOREIGN))(
  "troubleshooting.md explains a Pulumi message that another test asserts: %s",
  (text, file) => {
    expect(headings.filter(isUnder(text))).toHaveLength(1);
    expect(textOf(file)).toContain(text);
  },
);

test.each(UNTESTED)("troubleshooting.md explains a Pulumi message that no test asserts: %s", (text) => {
  expect(headings.filter(isUnder(text))).toHaveLength(1);
});

test.each([
  adopt.unlistedTypes({ types: ["DatabaseToken", "GroupToken", "SigningKeyRotation"], reason: adopt.UNLISTED }),
  importedWithoutSecret({ kind: "API token", property: "token" }),
  adopt.pendingRestorations({ count: 1 }),
  adopt.writtenImportFile({ file: "import.json", count: 7 }),
])("docs/adopt.md shows the line that `dbplatform adopt` prints: %s", (text) => {
  expect(textOf("docs/adopt.md").split("\n")).toContain(text);
});

test("pages link only to existing pages and headings", () => {
  const { homepage } = JSON.parse(textOf("package.json"));
  expect(linksIn(root, homepage).length).toBeGreaterThan(20);
  expect(brokenLinksIn(root, homepage)).toEqual([]);
});

const sourceFiles = globSync("{kit,platform,provider,sdk,test,tools,bench}/**/*.ts", { cwd: root });

/** The part of CONTRIBUTING.md that says where things are. */
const placesIn = (text: string) => /^## Where things are$.*?(?=^## (?!Where))/ms.exec(text)?.[0] ?? "";

test.each([
  ["CONTRIBUTING.md", placesIn(textOf("CONTRIBUTING.md"))],
  ["docs/architecture.md", textOf("docs/architecture.md")],
])("%s names only files and identifiers that exist", (_, text) => {
  const named = [...text.matchAll(/`([\w./-]+)`/g)].map(([, name = ""]) => name.replace(/\/$/, ""));
  const code = sourceFiles.map(textOf).join("\n");
  const paths = named.filter((name) => /\.ts$|^(platform|provider|sdk|test|tools|bench|docs)\//.test(name));
  const identifiers = named.filter((name) => /^[a-z]+[A-Z]\w*$|^[A-Z]+(_[A-Z]+)+$/.test(name));
  expect(paths.length + identifiers.length).toBeGreaterThan(10);
  const exists = (path: string) =>
    existsSync(join(root, path)) || sourceFiles.some((file) => file.endsWith(`/${path}`));
  expect(paths.filter((path) => !exists(path))).toEqual([]);
  expect(identifiers.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});

const REGISTRY_PAGES = [
  ["docs/_index.md", ""],
  ["docs/installation-configuration.md", " Installation & Configuration"],
] as const;

describe.each(REGISTRY_PAGES)("%s, which Pulumi's registry shows,", (page, title) => {
  const text = textOf(page);

  test("has the required front matter, and names Turso Cloud in its description and first sentence", () => {
    expect(text).toMatch(/^---\ntitle: \S.*\nmeta_desc: .*Turso Cloud.*\nlayout: package\n---\n\n[^.]*Turso Cloud/);
    expect(text).toContain(`title: ${packageSchema().displayName}${title}\n`);
  });

  test("has only absolute links in a release, and none to files outside docs/", () => {
    const { homepage: repository = "https://example.com/repository" } = JSON.parse(textOf("package.json"));
    const docs = `${repository}/blob/v1.2.3/docs`;
    const released = releasedText(page, text, { version: "1.2.3", repository }, root);
    const links = [...released.matchAll(/\]\((.*?)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([]);
    expect(links.filter((link) => link.startsWith(`${docs}/`)).length).toBeGreaterThan(5);
    expect(text).not.toContain("](../");
  });
});

test("README.md has at most 120 lines", () => {
  expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

test("the README's picture shows the deletion of its story in at most 30 lines, in light and dark", () => {
  const picture = textOf("docs/restore.svg");
  const lines = [...picture.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, line = ""]) => line);
  const shown = lines
    .join(" ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/ +/g, " ");
  const [deletion = ""] = /(?<=^ {4})curl -X DELETE .*$/m.exec(textOf("README.md")) ?? [];
  expect(lines.length).toBeLessThanOrEqual(30);
  expect(shown).toContain(`$ ${deletion}`);
  expect(picture).toContain("@media (prefers-color-scheme: dark)");
});

test("compiles every code example in the docs", () => {
  const pieces = pages.flatMap(blocksOf).flatMap(({ language, text }) => (language === "typescript" ? text : []));
  expect(pieces.length).toBeGreaterThan(3);
  const program = pieces
    .map((piece) => piece.replaceAll(/^import (.*) from "pulumi-dbplatform\/dynamic";$/gm, "const $1 = dynamic;"))
    .map((piece, at) => `async function piece${at}() {\n${piece.replaceAll(/^import .*$|^export /gm, "")}\n}`);
  const before = `import * as pulumi from "@pulumi/pulumi";
    import * as dbplatform from "../../sdk/nodejs";
    import * as dynamic from "../../sdk/dynamic";
    import { createClient } from "@libsql/client";
    import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
    declare const api: ReferenceApi;
    declare const database: { DbId: string };
    declare const databaseToken: string;
    declare const orders: dbplatform.Database;
    declare const production: dbplatform.Group;`;
  expect(editor([before, ...program].join("\n")).problems).toEqual([]);
});
