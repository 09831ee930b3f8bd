// @module-tag nothing-is-created-twice-or-adopted

import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { AnyResource } from "../../kit/definition";
import { Instance } from "../../kit/instance";
import { kit } from "../../kit/kit";
import { createdDespiteLostResponse, creationUncertain } from "../../kit/lifecycle/messages";
import { Refusal } from "../../kit/refusal";
import { create } from "../../kit/steps/create";

interface Crate {
  readonly id: string;
  readonly name: string;
  readonly size: string;
}

/** How the creation of a crate ends. */
type Ending =
  | "the request is lost"
  | "the response is lost"
  | "the author's code fails before the request"
  | "the author's code fails after the request";

/** What happens to the requests that look for the crate. */
type Trouble = "refused" | "broken" | undefined;

/** A platform with crates. Several may have the same name, of which only the last is found. */
interface Crates {
  readonly crates: Crate[];
  ending: Ending;
  /** Whether the credential may neither list ids nor look for keys before a creation. */
  isForbidden: boolean;
  find: Trouble;
  list: Trouble;
  /** What else is created at the same moment. */
  meanwhile: readonly Crate[];
  /** In what the new crate differs from the requested one. */
  made: Partial<Crate>;
  isRequested: boolean;
  /** The look-ups after the request. */
  readonly asked: string[];
}

const { field, resource, provider } = kit<Crates>();

const LOST = "no response";
const DEFECT = "Cannot read properties of undefined";

const lost = () => new Refusal("unavailable", { answer: LOST, uncertain: true });

function fail(trouble: Trouble): void {
  if (trouble === "refused") throw new Refusal("unavailable", { answer: "out of order" });
  if (trouble === "broken") throw new TypeError(DEFECT);
}

/** Throws an error if a look-up before the request is forbidden, or if one after the request fails. */
function look(platform: Crates, asked: "find" | "list"): void {
  if (!platform.isRequested) {
    if (platform.isForbidden) throw new Refusal("forbidden", { answer: "not allowed" });
    return;
  }
  platform.asked.push(asked);
  fail(platform[asked]);
}

const canonical = (name: string) => name.toLowerCase();

async function find(name: string, { platform }: { platform: Crates }) {
  look(platform, "find");
  const found = platform.crates.findLast((crate) => canonical(crate.name) === canonical(name));
  return found && { id: found.id, state: { name: found.name, size: found.size } };
}

const spec = {
  type: "Crate",
  description: "A crate.",
  inputs: {
    name: field.replaces(z.string(), { describe: "Name." }),
    size: field.plain(z.string(), { describe: "Size." }),
  },
  outputs: { code: field.shownOnce(z.string(), { describe: "Code of the lock." }) },
  read: async () => undefined,
  async create({ name, size }: { name: string; size: string }, { platform }: { platform: Crates }): Promise<never> {
    platform.isRequested = true;
    if (platform.ending === "the author's code fails before the request") throw new TypeError(DEFECT);
    if (platform.ending === "the request is lost") throw lost();
    const id = `crate-${platform.crates.length + 1}`;
    platform.crates.push(...platform.meanwhile, { id, name, size, ...platform.made });
    if (platform.ending === "the response is lost") throw lost();
    throw new TypeError(DEFECT);
  },
  update: async (_: string, changes: object) => changes,
  async delete(id: string, { platform: { crates } }: { platform: Crates }) {
    crates.splice(
      crates.findIndex((crate) => crate.id === id),
      1,
    );
  },
  async *list({ platform }: { platform: Crates }) {
    look(platform, "list");
    yield* platform.crates;
  },
} as const;

const named = resource({
  ...spec,
  named: {
    longest: () => 64,
    find,
    async ids({ platform }) {
      look(platform, "list");
      return new Set(platform.crates.map(({ id }) => id));
    },
  },
});

const keyed = resource({ ...spec, keyed: { by: "name", canonical, find } });

const KINDS = [
  ["a name", named],
  ["a key", keyed],
] as const;

const UNCERTAIN = creationUncertain({ kind: "crate", name: "blue", isGenerated: false }).answer;
const MADE = 'Crate "blue" (crate-1) was created and is in the state';

/** Creates the crate "blue" of size 1. */
function attempt(kind: typeof named | typeof keyed, ending: Ending, troubles: Partial<Crates> = {}) {
  const platform: Crates = {
    crates: [],
    isForbidden: false,
    find: undefined,
    list: undefined,
    meanwhile: [],
    made: {},
    isRequested: false,
    asked: [],
    ...troubles,
    ending,
  };
  const shop = provider({
    name: "shop",
    version: "1.0.0",
    settings: { description: "Crates.", schema: z.object({}) },
    resources: [kind],
    connect: () => ({ open: () => ({ platform }) }),
  });
  const said: string[] = [];
  const log = (_: string, message: string) => void said.push(message);
  const context = new Instance(shop, {}, {}).context({ urn: "", signal: new AbortController().signal, log });
  const start = () => create(kind as unknown as AnyResource, { name: "blue", size: "1" }, context);
  return { platform, said, start };
}

describe.each(KINDS)("after a lost response, an object with %s", (_, kind) => {
  const isKeyed = kind === keyed;

  test("is not looked for in the list if looking it up is refused", async () => {
    const { platform, start } = attempt(kind, "the response is lost", { find: "refused" });
    await expect(start()).rejects.toMatchObject({ message: isKeyed ? LOST : expect.stringContaining(UNCERTAIN) });
    expect(platform.asked).toEqual(["find"]);
  });

  test("may exist if the author's code cannot look it up", async () => {
    const { platform, start } = attempt(kind, "the response is lost", { find: "broken" });
    await expect(start()).rejects.toThrow(UNCERTAIN);
    expect(platform.asked).toEqual(["find"]);
  });
});

describe("after a lost response", () => {
  test("adopts no object by its name if nobody could list what existed before", async () => {
    const { platform, start } = attempt(named, "the response is lost", { isForbidden: true });
    await expect(start()).rejects.toThrow(UNCERTAIN);
    expect(platform.asked).toEqual([]);
  });

  test("adopts no object by its key that differs from the requested one", async () => {
    const { start } = attempt(keyed, "the response is lost", { made: { size: "2" } });
    await expect(start()).rejects.toMatchObject({ message: LOST });
  });

  test.each(["the response is lost", "the author's code fails after the request"] as const)(
    "adopts no object by its key that another resource of the update has created, of which %s",
    async (ending) => {
      const { platform, start } = attempt(keyed, ending, { isForbidden: true });
      expect((await start().catch((thrown) => thrown)).id).toBe("crate-1");
      Object.assign(platform, { ending: "the request is lost", isRequested: false });
      await expect(start()).rejects.toMatchObject({ message: LOST });
    },
  );

  test("never deletes an object with a key, even if it has a value that is shown only once", async () => {
    const { platform, said, start } = attempt(keyed, "the response is lost");
    expect(await start()).toEqual({ id: "crate-1", state: { name: "blue", size: "1" } });
    expect(said).toEqual([createdDespiteLostResponse({ title: 'crate "blue"', id: "crate-1" })]);
    expect(platform.crates).toHaveLength(1);
  });
});

describe("after a defect of the author's code", () => {
  test.each<[string, Ending, string]>([
    ["may exist", "the author's code fails after the request", UNCERTAIN],
    ["does not exist", "the author's code fails before the request", DEFECT],
  ])("says that an object %s if nobody could list what existed before", async (_, ending, message) => {
    const failure = await attempt(named, ending, { isForbidden: true })
      .start()
      .catch((thrown) => thrown);
    expect(failure.message).toContain(message);
    expect(failure.message.includes(UNCERTAIN)).toBe(message === UNCERTAIN);
  });

  test.each(KINDS)("an object with %s may exist if neither a look-up nor a list can show it", async (_, kind) => {
    const { start } = attempt(kind, "the author's code fails after the request", { find: "broken", list: "refused" });
    await expect(start()).rejects.toThrow(UNCERTAIN);
  });

  const others = [{ id: "other", name: "red", size: "1" }];

  test("records the new object of a list, not an older one of the same name", async () => {
    const crates = [{ id: "older", name: "blue", size: "1" }];
    const { start } = attempt(named, "the author's code fails after the request", {
      crates,
      find: "broken",
      meanwhile: others,
    });
    await expect(start()).rejects.toMatchObject({ id: "crate-2", state: { name: "blue", size: "1" } });
  });

  test("records the object of a list that spells its key in another way", async () => {
    const troubles = { find: "broken", meanwhile: others, made: { name: "Blue" } } as const;
    const { start } = attempt(keyed, "the author's code fails after the request", troubles);
    await expect(start()).rejects.toMatchObject({ id: "crate-1", message: expect.stringContaining(MADE) });
  });
});
