import { expect, test } from "vitest";
import * as z from "zod";
import type { AnyResource } from "../../kit/definition";
import { Instance } from "../../kit/instance";
import { kit } from "../../kit/kit";
import { listCancelled } from "../../kit/lifecycle/messages";
import { messageOf } from "../../kit/refusal";
import { create } from "../../kit/steps/create";
import { list } from "../../kit/steps/list";

/** A platform with a list of endless pages. */
interface Pages {
  readonly isEmpty: boolean;
  asked: number;
  created: number;
  isClosed: boolean;
}

const { field, resource, provider } = kit<Pages>();

/** Long enough for other promises to go on. */
const page = () => new Promise((resolve) => setTimeout(resolve, 1));

async function* notesOf(platform: Pages) {
  try {
    // Ends with the test, which fails if the kit waits for the end.
    while (platform.asked < 1000) {
      await page();
      platform.asked++;
      if (!platform.isEmpty) yield { id: `${platform.asked}`, name: `note-${platform.asked}` };
    }
  } finally {
    platform.isClosed = true;
  }
}

const note = resource({
  type: "Note",
  description: "A note.",
  inputs: { name: field.replaces(z.string(), { describe: "Name." }) },
  outputs: {},
  read: async () => undefined,
  async create({ name }, { platform }) {
    platform.created++;
    return { id: name, state: { name } };
  },
  async delete() {},
  list: ({ platform }) => notesOf(platform),
  named: {
    longest: () => 64,
    async ids({ platform }) {
      const ids = new Set<string>();
      for await (const { id } of notesOf(platform)) ids.add(id);
      return ids;
    },
    find: async () => undefined,
  },
});

function opened({ isEmpty, deadline }: { isEmpty: boolean; deadline?: AbortSignal }) {
  const platform: Pages = { isEmpty, asked: 0, created: 0, isClosed: false };
  const notes = provider({
    name: "notes",
    version: "1.0.0",
    settings: { description: "Notes.", schema: z.object({}) },
    resources: [note],
    connect: () => ({ open: () => ({ platform }) }),
  });
  const user = new AbortController();
  const call = { urn: "", signal: user.signal, ...(deadline && { deadline }) };
  return { platform, user, context: new Instance(notes, {}, {}).context(call) };
}

const CANCELLED = listCancelled({ kind: "note" }).answer;

const all = async (context: Parameters<typeof list>[2], limit = 0) => {
  const ids: string[] = [];
  for await (const { id } of list(note as unknown as AnyResource, { query: {}, limit }, context)) ids.push(id);
  return ids;
};

test.each([
  ["with objects", false],
  ["without objects", true],
])("a list of endless pages %s ends when the user cancels", async (_, isEmpty) => {
  const { platform, user, context } = opened({ isEmpty });
  const listed = all(context).then(String, messageOf);
  await page();
  user.abort();
  expect(await listed).toContain(CANCELLED);
  expect(platform.asked).toBeLessThan(100);
});

test("a list of endless pages is closed when enough objects are listed", async () => {
  const { platform, context } = opened({ isEmpty: false });
  expect(await all(context, 3)).toEqual(["1", "2", "3"]);
  expect(platform).toMatchObject({ asked: 3, isClosed: true });
});

test("a creation whose list never ends fails at its time limit, before its request", async () => {
  const limit = new AbortController();
  const { platform, context } = opened({ isEmpty: true, deadline: limit.signal });
  const created = create(note as unknown as AnyResource, { name: "a" }, context).then(String, messageOf);
  await page();
  limit.abort();
  expect(await created).toContain(CANCELLED);
  expect(platform.asked).toBeLessThan(100);
  expect(platform.created).toBe(0);
});
