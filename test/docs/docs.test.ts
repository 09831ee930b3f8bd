import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  deletedWithReplaced,
  deletionPrevented,
  firstSinceImport,
  operationImpossible,
  settingsTakenOver,
  tokenLacksAccess,
} from "../../kit/lifecycle/messages";
import { deletionMessage, importedWithoutSecret, noLongerExists } from "../../kit/lifecycle/restore/messages";
import { missingSettings, nameInUseBy } from "../../kit/messages";
import { Refusal, type RefusalDetails } from "../../kit/refusal";
import type { Deletion } from "../../kit/results";
import * as adopt from "../../provider/adopt/messages";
import {
  failedOperation,
  failedResponse,
  UNREADABLE_ORGANIZATION,
  unreachablePlatform,
  unreadableResponse,
} from "../../provider/client/messages";
import { dataLost, otherOrganization } from "../../provider/messages";
import {
  configurationUnmanaged,
  dataCopied,
  dataLeftBehind,
  dataPossiblyLeftBehind,
  referenceToDeleted,
  seededInstead,
  WITH_DATA,
} from "../../provider/resources/database/messages";
import { OBJECT_PROTECTED, RECOVERY_PERIOD } from "../../provider/resources/messages";
import { memberReplaced } from "../../provider/resources/organization/messages";
import { tokenStaysValid } from "../../provider/resources/token/messages";
import { releasedText } from "../../tools/release/pages";
import { root } from "../../tools/run";
import { schema as packageSchema } from "../../tools/schema";
import { editor } from "../schema/editor";
import { blocksOf, pages } from "./blocks";
import { brokenLinksIn, linksIn } from "./links";

const textOf = (path: string) => readFileSync(join(root, path), "utf8");

const [ID, OTHER] = ["71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b", "0a28102d-6906-11ee-8553-eaa7715aeaf2"];
const TITLE = 'database "orders"';
const DELETED = { deletedAt: "2026-11-22T07:17:00Z", restorableUntil: "2026-11-27T07:17:00Z" };
const UNSEEN = { period: RECOVERY_PERIOD, because: "only an admin or owner sees deleted databases" };

const deleted = (deletion: Deletion): string => deletionMessage({ title: TITLE, id: ID, brings: WITH_DATA, deletion });

const failedCreation = (details: Pick<RefusalDetails, "answer" | "advice">): string => {
  const tried = failedOperation({
    action: "create database",
    method: "POST",
    path: "/v1/organizations/acme/databases",
  });
  return new Refusal("conflict", { tried, ...details }).message;
};
const refused = (operation: "create" | "replace", answer: string): string =>
  `${operationImpossible({ operation, object: TITLE })}: ${answer}`;

/** The messages that headings of docs/troubleshooting.md explain, by heading. */
const EXPLAINED: Readonly<Record<string, string>> = {
  "The provider lacks dbplatform:…": missingSettings({
    provider: "dbplatform",
    missing: [{ name: "apiToken", isSecret: true, variable: "DBPLATFORM_API_TOKEN" }],
    isRecorded: false,
  }),
  "could not …: the platform returned HTTP 401: …": failedCreation({
    answer: failedResponse({ status: 401, error: "token is expired" }),
  }),
  'this resource belongs to organization …, but the provider is configured for "…"': otherOrganization({
    organizationId: OTHER,
    isRecorded: true,
    configured: { slug: "acme", id: ID },
  }).answer,
  "the reference API at … does not know organization …": dataLost({
    organizationId: OTHER,
    baseUrl: "http://127.0.0.1:8080",
  }),
  "this API token is group-scoped and cannot look up the UUID of the organization": UNREADABLE_ORGANIZATION.answer,
  "This API token cannot …: …. Run …": tokenLacksAccess({
    attempt: operationImpossible({ operation: "restore", object: TITLE }),
    reason: "the API token lacks the scope `db:restore`",
  }),
  'cannot create …: … name "…" is already in use by …': refused(
    "create",
    nameInUseBy({ kind: "database", name: "orders", id: ID }),
  ),
  "The change replaces … without its data. …": dataLeftBehind({ title: TITLE, id: ID, isDeletedFirst: false }),
  "The update replaces … by a copy with its data and settings (`keepData`). …": dataCopied({ title: TITLE, id: ID }),
  "The preview does not know … of … yet. …": memberReplaced({ username: "zoe" }),
  "The change replaces … by a copy of database …": seededInstead({
    title: TITLE,
    id: ID,
    isDeletedFirst: false,
    source: OTHER,
  }),
  "… of database … is not known yet. If it changes, …": dataPossiblyLeftBehind({ title: TITLE, property: "group" }),
  "This update does not replace …: … is set for the first time since the import": firstSinceImport({
    property: "keepers",
    title: 'API token "ci"',
    id: ID,
  }),
  "cannot replace …: the replacement would delete … with it": refused(
    "replace",
    deletedWithReplaced({ kind: "group", inside: TITLE }).answer,
  ),
  "could not delete …, because it is delete-protected": deletionPrevented({
    title: TITLE,
    id: ID,
    reason: OBJECT_PROTECTED,
  }).answer,
  "A SQL-engine token cannot be revoked individually": tokenStaysValid({ thing: TITLE }),
  "The configuration of database … is no longer managed. These settings are not reset": configurationUnmanaged({
    id: ID,
    assignments: ["blockWrites: true"],
  }),
  "Settings that … does not name stay in force on …": settingsTakenOver({
    subject: TITLE,
    from: "a",
    to: "b",
    remaining: [{ property: "blockWrites", is: true, byDefault: false }],
  }),
  "… was deleted … and can be restored … until …": deleted(DELETED),
  'cannot create …: Database "…" … was deleted … Restore it: declare it with the option …': refused(
    "create",
    referenceToDeleted({
      id: ID,
      deletion: 'Database "orders" (71a5…) was deleted on 2026-11-22 07:17 UTC.',
      isInStack: false,
    }),
  ),
  "… no longer exists. It may be restorable for five days after its deletion, but …": deleted({
    ...DELETED,
    unseen: UNSEEN,
  }),
  "… no longer exists: …": noLongerExists({ title: TITLE, reason: "organization acme has no such database" }),
  "The platform shows … only at creation": importedWithoutSecret({ kind: "API token", property: "token" }),
  "could not …: the platform returned HTTP 429: …": failedCreation({
    answer: failedResponse({ status: 429, error: "too many requests" }),
  }),
  "could not …: the platform could not be reached (…)": failedCreation(unreachablePlatform({ reason: "ECONNREFUSED" })),
  "could not …: unexpected response body (HTTP 200)": failedCreation(unreadableResponse({ reason: "no JSON" })),
};

/** Prefixes of messages that no messages.ts file contains, each with the test that asserts the message. */
const FOREIGN: Readonly<Record<string, string>> = {
  "error resolving type of resource": "test/engine/troubleshooting.test.ts",
  "parsing plugin options for 'dbplatform': no folder at path": "test/engine/troubleshooting.test.ts",
  "exited prematurely": "test/engine/troubleshooting.test.ts",
  "Cannot read properties of undefined": "test/engine/troubleshooting.test.ts",
  "the stack is currently locked by": "test/engine/troubleshooting.test.ts",
  "previously-imported resources that still specify an ID": "test/stories/interrupted-replacements.test.ts",
  "needs Node.js": "test/package/needed-node.test.ts",
  "to have an executable named": "test/package/package.test.ts",
};

/** Pulumi's own messages that no test asserts, because they depend on the network or on the language plugin. */
const UNTESTED = ["Could not automatically download", "installing packages", "method GenerateProgram not implemented"];

const headings = [...textOf("docs/troubleshooting.md").matchAll(/^### `(.*)`$/gm)].map(([, text = ""]) => text);
const isUnder = (text: string) => (heading: string) => heading.includes(text);
const foreign = [...Object.keys(FOREIGN), ...UNTESTED];

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

test("each heading in troubleshooting.md is a message of the provider, or one of Pulumi's", () => {
  const ours = headings.filter((heading) => !foreign.some((text) => heading.includes(text)));
  expect(ours.toSorted()).toEqual(Object.keys(EXPLAINED).toSorted());
});

test.each(Object.entries(EXPLAINED))(
  "a heading in troubleshooting.md is the beginning of a message: %s",
  (heading, message) => {
    expect(message).toMatch(new RegExp(`^${heading.split("…").map(literally).join(".+")}`, "s"));
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
  adopt.unlistedTypes({
    types: ["DatabaseMigrations", "DatabaseToken", "GroupToken", "SigningKeyRotation"],
    reason: adopt.UNLISTED,
  }),
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
  const before = `import { writeFile } from "node:fs/promises";
    import * as pulumi from "@pulumi/pulumi";
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
