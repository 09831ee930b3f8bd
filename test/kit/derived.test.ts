import { expect, test } from "vitest";
import * as z from "zod";
import { Instance } from "../../kit/instance";
import { kit } from "../../kit/kit";
import { unknownArgument } from "../../kit/lifecycle/messages";
import { UNKNOWN } from "../../kit/lifecycle/properties";
import { FakeEngine } from "../fake-engine/fake-engine";

/** How many words each page has, by id. */
type Pages = Map<string, number>;

const { field, provider, resource } = kit<Pages>();

const page = resource({
  type: "Page",
  description: "A page.",
  inputs: {
    text: field.local(z.string(), { describe: "Text." }),
    words: field.derived(z.number(), {
      describe: "How many words the text has.",
      from: "text",
      derive: (text: string) => text.split(" ").length,
    }),
  },
  outputs: {},
  async read(id, { platform }) {
    const words = platform.get(id);
    return words === undefined ? undefined : { words };
  },
  async create({ words }, { platform }) {
    platform.set("page", words);
    return { id: "page", state: { words } };
  },
  async update(id, changes, { platform }) {
    for (const words of Object.values(changes)) platform.set(id, words);
    return changes;
  },
  async delete(id, { platform }) {
    platform.delete(id);
  },
});

function stack() {
  const platform: Pages = new Map();
  const pages = provider({
    name: "pages",
    version: "1.0.0",
    settings: { description: "Pages.", schema: z.object({}) },
    resources: [page],
    connect: () => ({ open: () => ({ platform }) }),
  });
  const engine = new FakeEngine(pages);
  const open = () => new Instance(pages, {}, {}).context({ urn: "", signal: new AbortController().signal });
  const declared = (args: object, ignoreChanges: readonly string[]) =>
    new Map([["page", { type: "Page", args: { ...args }, ignoreChanges }]]);
  return {
    platform,
    engine,
    up: (args: object, ...ignored: readonly string[]) => engine.up(declared(args, ignored), open()),
    preview: (args: object) => engine.preview(declared(args, []), open()),
  };
}

test("an input that follows from another changes with it, and drift of it is corrected", async () => {
  const { platform, up } = stack();
  await up({ text: "a b" });
  expect(platform.get("page")).toBe(2);
  await up({ text: "a b c" });
  expect(platform.get("page")).toBe(3);
  platform.set("page", 7);
  await up({ text: "a b c" });
  expect(platform.get("page")).toBe(3);
  expect(await up({ text: "a b c" })).toBe(0);
});

test("an input that follows from another is not known before the other", async () => {
  const { engine, up, preview } = stack();
  await up({ text: "a b" });
  await preview({ text: UNKNOWN });
  expect(engine.last?.state).toMatchObject([{ outputs: { words: UNKNOWN } }]);
});

test("a program cannot write an input that follows from another, but can ignore its changes", async () => {
  const { platform, up } = stack();
  await up({ text: "a b" });
  const owner = { owner: "Page", argument: "words", known: ["text"] };
  await expect(up({ text: "a b", words: 5 })).rejects.toThrow(unknownArgument(owner));
  await up({ text: "a b c" }, "words");
  expect(platform.get("page")).toBe(2);
  await up({ text: "a b c" });
  expect(platform.get("page")).toBe(3);
});
