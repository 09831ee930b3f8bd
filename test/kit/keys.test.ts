import { expect, test } from "vitest";
import * as z from "zod";
import { Instance } from "../../kit/instance";
import { kit } from "../../kit/kit";
import { sameValue } from "../../kit/lifecycle/messages";
import { keyTakenElsewhere } from "../../kit/lifecycle/taken/messages";
import { messageOf, Refusal } from "../../kit/refusal";
import type { Declared } from "../fake-engine/declared-program";
import { FakeEngine } from "../fake-engine/fake-engine";

interface Shelf {
  readonly name: string;
  readonly color: string;
}

/** A platform whose names are equal if they differ only in case. */
type Shelves = Map<string, Shelf>;

const { field, provider, resource } = kit<Shelves>();

const canonical = (name: string) => name.toLowerCase();

function findIn(shelves: Shelves, name: string) {
  const [id, state] = [...shelves].find(([, shelf]) => canonical(shelf.name) === canonical(name)) ?? [];
  return id !== undefined && state ? { id, state } : undefined;
}

const shelf = resource({
  type: "Shelf",
  description: "A shelf.",
  inputs: {
    name: field.replaces(z.string(), { describe: "Name." }),
    color: field.replaces(z.string(), { describe: "Color." }),
  },
  outputs: {},
  read: async (id, { platform }) => platform.get(id),
  async create(wanted, { platform }) {
    if (findIn(platform, wanted.name)) throw new Refusal("taken", { answer: "there is a shelf of that name" });
    const id = `shelf-${nextId++}`;
    platform.set(id, wanted);
    return { id, state: wanted };
  },
  async delete(id, { platform }) {
    platform.delete(id);
  },
  keyed: { by: "name", canonical, find: async (name, { platform }) => findIn(platform, name) },
});

let nextId = 1;

function stack() {
  nextId = 1;
  const platform: Shelves = new Map();
  const shelves = provider({
    name: "shelves",
    version: "1.0.0",
    settings: { description: "Shelves.", schema: z.object({}) },
    resources: [shelf],
    connect: () => ({ open: () => ({ platform }) }),
  });
  const engine = new FakeEngine(shelves);
  const open = () => new Instance(shelves, {}, {}).context({ urn: "", signal: new AbortController().signal });
  return {
    platform,
    /** Runs a preview and, if it succeeds, an update. Returns the error. */
    async up(program: Readonly<Record<string, Shelf>>, options: Partial<Declared> = {}): Promise<string | undefined> {
      const declared = Object.entries(program).map(([slot, args]): [string, Declared] => [
        slot,
        { type: "Shelf", args: { ...args }, ...options },
      ]);
      return engine
        .preview(new Map(declared), open())
        .then(() => engine.up(new Map(declared), open()))
        .then(() => undefined, messageOf);
    },
  };
}

test("refuses two resources whose keys differ only in spelling", async () => {
  const { platform, up } = stack();
  const refused = await up({ a: { name: "Books", color: "red" }, b: { name: "books", color: "red" } });
  const urn = "urn:pulumi:dev::test::shelves:index:Shelf::a";
  expect(refused).toBe(`name: ${sameValue({ urn, property: "name" })}`);
  expect(platform.size).toBe(0);
});

test("replaces an object that keeps its key, whose id is another", async () => {
  const { platform, up } = stack();
  expect(await up({ a: { name: "Books", color: "red" } })).toBeUndefined();
  expect(await up({ a: { name: "Books", color: "blue" } })).toBeUndefined();
  expect([...platform]).toEqual([["shelf-2", { name: "Books", color: "blue" }]]);
});

test("replaces an object whose key changes only in spelling", async () => {
  const { platform, up } = stack();
  expect(await up({ a: { name: "Books", color: "red" } })).toBeUndefined();
  expect(await up({ a: { name: "books", color: "red" } })).toBeUndefined();
  expect([...platform]).toEqual([["shelf-2", { name: "books", color: "red" }]]);
});

test("refuses a key that is taken in another spelling, and names the object to import", async () => {
  const { platform, up } = stack();
  platform.set("theirs", { name: "books", color: "red" });
  const { answer, advice } = keyTakenElsewhere({ title: 'shelf "Books"', id: "theirs", isReplacing: false });
  expect(await up({ a: { name: "Books", color: "red" } })).toContain(`${answer}. ${advice}`);
  expect(await up({ a: { name: "books", color: "red" } }, { import: "theirs" })).toBeUndefined();
  expect([...platform.keys()]).toEqual(["theirs"]);
});
