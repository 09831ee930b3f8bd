import { expect, test } from "vitest";
import type { Facts } from "../../kit/facts";
import { printedMessages, straySentences, textsOf } from "../../tools/messages";

/** Returns the rendered messages that break a rule. */
async function breaking(isBroken: (text: string) => boolean): Promise<string[]> {
  const messages = await printedMessages();
  expect(messages.length).toBeGreaterThan(0);
  return messages.filter(({ text }) => isBroken(text)).map(({ file, name, text }) => `${file} ${name}: ${text}`);
}

test("no message is empty, is JSON or contains an undefined value", async () => {
  expect(
    await breaking((text) => text === "" || /^\{|undefined|\{"\w+":|\[object|NaN|(?<!\n) {2}|\.\.$/.test(text)),
  ).toEqual([]);
});

const shown = ({ kind, restorable }: Facts<"kind" | "restorable">) =>
  `The ${kind}${restorable ? ` ${restorable}` : ""}.`;

test("each combination of the facts that a message reads is printed", () => {
  expect(textsOf("shown", shown)).toEqual([
    "The database can be restored until 2026-11-27 07:17 UTC.",
    "The database.",
  ]);
});

test("facts that a message reads in one of its branches alone are printed", () => {
  const branching = (facts: Facts<"isRead" | "name">) => (facts.isRead ? `Read ${facts.name}.` : "Unread.");
  expect(textsOf("branching", branching)).toEqual(["Unread.", "Read orders."]);
});

test("a message that spreads its facts is rejected", () => {
  const spread = (facts: Facts<"kind" | "restorable">) => shown({ ...facts });
  expect(() => textsOf("spread", spread)).toThrow("spread spreads its facts");
});

test("a message that prints an undefined fact is rejected", () => {
  const careless = ({ kind, restorable }: Facts<"kind" | "restorable">) => `The ${kind} ${restorable}.`;
  expect(() => textsOf("careless", careless)).toThrow("careless prints an undefined fact: The database undefined.");
});

test("no two catalogues have a message of the same name", async () => {
  const files = new Map<string, Set<string>>();
  for (const { file, name } of await printedMessages()) files.set(name, (files.get(name) ?? new Set()).add(file));
  expect([...files].filter(([, places]) => places.size > 1).map(([name]) => name)).toEqual([]);
});

test("no message uses a word that the glossary replaces", async () => {
  const replaced = /\b(gone|told|sown?|made|anew|looked at|this very|what has|is not what)\b/;
  expect(await breaking((text) => replaced.test(text))).toEqual([]);
});

/** `dataLost` says first what else can be the cause. */
const MAY_REMOVE = /^\S+ (memberNotRemoved|dataLost): /;

test("no message recommends `pulumi state delete` or `pulumi destroy` for objects that may exist", async () => {
  const broken = await breaking((text) => /pulumi destroy|state delete/.test(text));
  expect(broken.filter((line) => !MAY_REMOVE.test(line))).toEqual([]);
});

test("no message removes resources of other providers from a stack without saying so", async () => {
  expect(await breaking((text) => /state delete .*--all/.test(text))).toEqual([]);
  expect(await breaking((text) => /--target-dependents/.test(text) && !text.includes("other providers"))).toEqual([]);
});

test("no message recommends moving a resource, because a database is moved without its data", async () => {
  expect(await breaking((text) => /\bmove (that|this|the|it)\b/i.test(text))).toEqual([]);
});

test("every sentence for users is in a message catalogue", () => {
  const folders = ["kit", "provider", "platform/reference", "platform/values"];
  expect(straySentences(...folders).map(({ place, text }) => `${place} ${text}`)).toEqual([]);
});
