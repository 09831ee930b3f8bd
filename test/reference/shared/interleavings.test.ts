import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenReferenceApi } from "../../../platform/reference/server";
import { type ApiCaller, calling } from "../calling";
import { brokenInvariants } from "../invariants";
import { startServers } from "../servers";
import { NOON } from "../world";
import { Model } from "./model";
import { pair, seedOf, worldOf } from "./pairs";
import { anyStep, ask, type ParallelRequest, send } from "./steps";

/** How many times each list of parallel steps is run, each time with a new pair of organizations. */
const TIMES = 3;
const RUNS = 60;
const TIMES_OF_ONE = 15;
const pairs = Array.from({ length: 2 * RUNS * TIMES + 8 * TIMES_OF_ONE }, (_, number) => pair(number));

let api: OpenReferenceApi;
let ada: ApiCaller;
const untouched = pairs.values();

beforeAll(async () => {
  api = await startServers({ now: NOON, seed: seedOf(pairs) });
  ada = calling(api, await api.token({ organization: null }));
});

afterAll(() => api.close());

test("§3 §4 concurrent requests to two servers give the same result as some sequential order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 4 }), async (steps) => {
      const possible = orders(steps.length).map((order) => oneByOne(steps, order));
      for (let time = 0; time < TIMES; time += 1) expect(possible).toContainEqual(await atOnce(steps));
    }),
    { numRuns: RUNS },
  );
  expect(await api.store.read(brokenInvariants)).toEqual([]);
});

test.each<[sentence: string, ...steps: ParallelRequest[]]>([
  [
    // One request returns 200, the other 409.
    "§4.8 creating two databases with the same name",
    { does: "createDatabase", name: "n", group: "g" },
    { does: "createDatabase", name: "n", group: "g" },
  ],
  [
    // One request returns 200, the other 404.
    "§4.1 restoring one database twice",
    { does: "restoreDatabase", name: "c" },
    { does: "restoreDatabase", name: "c" },
  ],
  [
    "§3 deleting and restoring a database",
    { does: "deleteDatabase", name: "a" },
    { does: "restoreDatabase", name: "a" },
  ],
  [
    "§3 restoring a group and its database",
    { does: "restoreGroup", name: "h" },
    { does: "restoreDatabase", name: "d" },
  ],
  [
    "§3 transferring a group and minting its token",
    { does: "transferGroup", name: "g" },
    { does: "mintToken", name: "t", group: "g" },
  ],
  [
    "§3 deleting a group and minting its token",
    { does: "deleteGroup", name: "g" },
    { does: "mintToken", name: "t", group: "g" },
  ],
  [
    "§2.3 deleting a group and creating a database in it",
    { does: "deleteGroup", name: "g" },
    { does: "createDatabase", name: "n", group: "g" },
  ],
  [
    "wire-facts 2.2 renaming a group and creating one with the new name",
    { does: "renameGroup", name: "g", to: "k" },
    { does: "createGroup", name: "k" },
  ],
])("%s concurrently gives the same result as some sequential order", async (_sentence, ...steps) => {
  const possible = [oneByOne(steps, [0, 1]), oneByOne(steps, [1, 0])];
  for (let time = 0; time < TIMES_OF_ONE; time += 1) expect(possible).toContainEqual(await atOnce(steps));
});

interface Outcome {
  readonly statuses: number[];
  readonly world: string[];
}

function oneByOne(steps: readonly ParallelRequest[], order: readonly number[]): Outcome {
  const model = new Model();
  const statuses: number[] = [];
  for (const place of order) statuses[place] = ask(model, steps[place] as ParallelRequest);
  return { statuses, world: model.world() };
}

async function atOnce(steps: readonly ParallelRequest[]): Promise<Outcome> {
  const { value } = untouched.next();
  if (!value) throw new Error("no untouched pair of organizations is left");
  const statuses = await Promise.all(steps.map((step) => send(ada, step, value)));
  return { statuses, world: await worldOf(api.store, value) };
}

/** Returns all possible orders of `count` steps. */
function orders(count: number, begun: readonly number[] = []): number[][] {
  if (begun.length === count) return [[...begun]];
  const rest = Array.from({ length: count }, (_, place) => place).filter((place) => !begun.includes(place));
  return rest.flatMap((place) => orders(count, [...begun, place]));
}
