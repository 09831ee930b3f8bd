import fc from "fast-check";
import { expect, test } from "vitest";
import type { OpenReferenceApi } from "../../platform/reference/server";
import type { FakeEngine } from "../fake-engine/fake-engine";
import { full, printingFailures, seeded } from "../full";
import { ALL } from "../sequences/declarations";
import type { Driver, Outcome, StackResource } from "../sequences/driver";
import { fakeEngineDriver, newFakeEngine } from "../sequences/fake-engine-driver";
import { masking } from "../sequences/recording";
import { openScene, type SequenceStep } from "../sequences/scene";
import { type CredentialKind, openSequenceFixture } from "../sequences/sequence-fixture";
import { steps, take, UP } from "../sequences/step";
import { everyAnswer } from "./answers";
import { seedFrom, startTwin, tokensOfStarts, withHiddenFields, withoutTokens } from "./twin";

const ORGANIZATIONS = full ? 300 : 10;

/** How many organizations, how many previews with drift, and how many refused updates the test has seen. */
const seen = { organizations: 0, drift: 0, refusals: 0 };

test("a twin answers like the organization, and previews and updates do the same on both", async () => {
  await fc.assert(fc.asyncProperty(steps, printingFailures(compare)), { numRuns: ORGANIZATIONS, ...seeded });
  console.log("twins:", seen);
  expect(seen.drift).toBeGreaterThan(seen.organizations / 4);
}, 3_600_000);

/** Plays steps, makes a twin of the organization that they leave, and runs the last program on both. */
async function compare(taken: readonly SequenceStep[]): Promise<void> {
  const stage = await openSequenceFixture();
  const stack = newFakeEngine();
  const original = fakeEngineDriver(stage, undefined, {}, stack);
  let managed: ReadonlyMap<string, StackResource> = new Map();
  const scene = await openScene(stage, ALL, () => managed);
  try {
    for (const step of [{ do: UP, to: 0, how: 0 }, ...taken])
      if (step.do === UP) {
        await original.up(scene.program, scene.credential);
        managed = await original.managed();
      } else await take(scene, step);

    const reader = await stage.api.token({ user: "cid", name: "reader" });
    const { seed } = await seedFrom(stage.api, reader);
    const whole = await withHiddenFields(seed, stage.api);
    const twin = await startTwin(whole, await stage.api.clock.now(), ["ada", "cid", "lea", "zoe"]);
    try {
      const group = seed.organizations[0]?.groups?.find(
        ({ uuid, deleted_at }) => uuid === stage.pinnedTo && !deleted_at,
      );
      const tokens = {
        original: await tokensIn(stage.api, group?.name),
        twin: await tokensIn(twin, group?.name),
      };
      const names = await tokensOfStarts(twin, seed);
      const answers = async (api: OpenReferenceApi, { all }: Tokens) =>
        withoutTokens(await everyAnswer(api, all), names);
      expect(await answers(twin, tokens.twin)).toEqual(await answers(stage.api, tokens.original));

      const drivers = {
        original: driverOf(stage.api, tokens.original, stack),
        twin: driverOf(twin, tokens.twin, stack.copy()),
      };
      const both = async (run: (driver: Driver) => Promise<Outcome>): Promise<Outcome> => {
        const outcome = await run(drivers.original);
        expect(comparable(await run(drivers.twin))).toEqual(comparable(outcome));
        return outcome;
      };
      if (group) await both((driver) => driver.preview(scene.program, "reading"));
      const { empty } = await both((driver) => driver.preview(scene.program, "admin"));
      const { refusals } = await both((driver) => driver.up(scene.program, "admin"));
      const held = async (driver: Driver) => comparable([...(await driver.managed())]);
      expect(await held(drivers.twin)).toEqual(await held(drivers.original));
      expect(comparable(await answers(twin, tokens.twin))).toEqual(
        comparable(await answers(stage.api, tokens.original)),
      );
      seen.organizations++;
      seen.drift += empty ? 0 : 1;
      seen.refusals += refusals.length;
    } finally {
      await twin.close();
    }
  } finally {
    await stage.api.close();
  }
}

type Tokens = Awaited<ReturnType<typeof tokensIn>>;

/** Creates two tokens of one user: for the organization, and, if the group is live, one that may only read the group. */
async function tokensIn(api: OpenReferenceApi, group: string | undefined) {
  const all = await api.token({ user: "cid", name: "all-of-both" });
  const reading = group && (await api.token({ user: "cid", name: "reading-of-both", group, scopes: ["read-only"] }));
  return { all, reading };
}

function driverOf(api: OpenReferenceApi, { all, reading = "" }: Tokens, stack: FakeEngine): Driver {
  const environment = (kind: CredentialKind): Record<string, string> => ({
    DBPLATFORM_BASE_URL: api.url,
    DBPLATFORM_ORGANIZATION: "acme",
    DBPLATFORM_API_TOKEN: kind === "reading" ? reading : all,
    DBPLATFORM_ORGANIZATION_ID: api.organizationId,
  });
  return fakeEngineDriver({ environment }, undefined, {}, stack);
}

/** Matches the ids of API tokens and of what has a UUID. */
const ID = /"[\w-]{22}"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns a value as lines, with numbers in place of ids and tokens, of which those of new objects are random. */
function comparable(value: unknown): string[] {
  const text = (inner: unknown) => JSON.stringify(inner).replaceAll(ID, "");
  const sorted = JSON.parse(JSON.stringify(value), (_, inner) =>
    Array.isArray(inner) ? inner.toSorted((one, other) => (text(one) < text(other) ? -1 : 1)) : inner,
  );
  return (
    JSON.stringify(sorted, null, 1)
      .replaceAll(/"id": (\d+|"[\w-]{22}")/g, '"id": "<new or seeded>"')
      // The provider adds the time since the last answer to the platform's time.
      .replaceAll(/\.\d{3}Z"/g, 'Z"')
      .split("\n")
      .map(masking())
  );
}
