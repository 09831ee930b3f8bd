import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenReferenceApi } from "../../../platform/reference/server";
import { type Calling, calling } from "../calling";
import { startServers } from "../servers";
import { NOON } from "../world";
import { broken } from "./invariants";
import { Model } from "./model";
import { pair, seedOf, worldOf } from "./pairs";
import { anyStep, ask, type Step, send } from "./steps";

/** How often the same steps are sent at once, each time to organizations that nobody has touched. */
const TIMES = 3;
const RUNS = 60;
const pairs = Array.from({ length: 2 * RUNS * TIMES }, (_, number) => pair(number));

let api: OpenReferenceApi;
let ada: Calling;
const untouched = pairs.values();

beforeAll(async () => {
  api = await startServers({ now: NOON, seed: seedOf(pairs) });
  ada = calling(api, await api.token({ organization: null }));
});

afterAll(() => api.close());

test("§3 §4 what comes of requests sent at once to two servers is what comes of them in some order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 4 }), async (steps) => {
      const possible = orders(steps.length).map((order) => oneByOne(steps, order));
      for (let time = 0; time < TIMES; time += 1) expect(possible).toContainEqual(await atOnce(steps));
    }),
    { numRuns: RUNS },
  );
  expect(await broken(api.store)).toEqual({});
});

interface Outcome {
  /** In the order in which the steps are listed. */
  readonly statuses: number[];
  readonly world: string[];
}

function oneByOne(steps: readonly Step[], order: readonly number[]): Outcome {
  const model = new Model();
  const statuses: number[] = [];
  for (const place of order) statuses[place] = ask(model, steps[place] as Step);
  return { statuses, world: model.world() };
}

async function atOnce(steps: readonly Step[]): Promise<Outcome> {
  const { value } = untouched.next();
  if (!value) throw new Error("no untouched pair of organizations is left");
  const statuses = await Promise.all(steps.map((step) => send(ada, step, value)));
  return { statuses, world: await worldOf(api.store, value) };
}

/** Every order of so many. */
function orders(count: number, begun: readonly number[] = []): number[][] {
  if (begun.length === count) return [[...begun]];
  const rest = Array.from({ length: count }, (_, place) => place).filter((place) => !begun.includes(place));
  return rest.flatMap((place) => orders(count, [...begun, place]));
}
