import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { catalogueTexts, straySentences, unprintableValues } from "../../tools/messages";

const texts = catalogueTexts();

/** Returns the texts of the message catalogues that break a rule. */
function breaking(isBroken: (text: string) => boolean): string[] {
  expect(texts.length).toBeGreaterThan(500);
  return texts.filter(({ text }) => isBroken(text)).map(({ file, name, text }) => `${file} ${name}: ${text}`);
}

test("no message can print `undefined` or an object", () => {
  expect(unprintableValues()).toEqual([]);
});

test("a value that may be absent or an object is found in a message", () => {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-messages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "messages.ts");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the code of the file
  writeFileSync(file, "export const greeting = (name?: string, tags = [1], age = 1) => `${name}, ${tags}, ${age}`;");
  expect(unprintableValues([file]).map(({ value }) => value)).toEqual(["name", "tags"]);
});

test("no message has two spaces or two full stops in a row", () => {
  expect(breaking((text) => /\S {2}|\w\.\.(?!\.)/.test(text))).toEqual([]);
});

test("no two catalogues have a message of the same name", () => {
  const files = new Map<string, Set<string>>();
  for (const { file, name } of texts.filter(({ isExported }) => isExported))
    files.set(name, (files.get(name) ?? new Set()).add(file));
  expect([...files].filter(([, places]) => places.size > 1).map(([name]) => name)).toEqual([]);
});

test("no message uses a word that the glossary replaces", () => {
  const replaced = /\b(gone|told|sown?|made|anew|looked at|this very|what has|is not what)\b/;
  expect(breaking((text) => replaced.test(text))).toEqual([]);
});

/** `dataLost` says first what else can be the cause. */
const MAY_REMOVE = /^\S+ (memberNotRemoved|dataLost): /;

test("no message recommends `pulumi state delete` or `pulumi destroy` for objects that may exist", () => {
  const broken = breaking((text) => /pulumi destroy|state delete/.test(text));
  expect(broken.filter((line) => !MAY_REMOVE.test(line))).toEqual([]);
});

test("no message removes resources of other providers from a stack without saying so", () => {
  expect(breaking((text) => /state delete .*--all/.test(text))).toEqual([]);
  const removing = texts.filter(({ text }) => text.includes("--target-dependents")).map(({ name }) => name);
  for (const message of removing) {
    const said = texts.filter(({ name }) => name === message).map(({ text }) => text);
    expect(
      said.some((text) => text.includes("other providers")),
      message,
    ).toBe(true);
  }
});

test("no message recommends moving a resource, because a database is moved without its data", () => {
  expect(breaking((text) => /\bmove (that|this|the|it)\b/i.test(text))).toEqual([]);
});

test("every sentence for users is in a message catalogue", () => {
  const folders = ["kit", "provider", "platform/reference", "platform/values"];
  expect(straySentences(...folders).map(({ place, text }) => `${place} ${text}`)).toEqual([]);
});
