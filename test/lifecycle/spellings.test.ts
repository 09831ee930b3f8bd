// @module-tag all-drift-is-shown
// @module-tag no-false-differences

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { argumentsFromState } from "../../kit/lifecycle/arguments";
import { compare, type Sides } from "../../kit/lifecycle/comparison";
import { nameProposer } from "../../kit/lifecycle/naming";
import type { Properties } from "../../kit/lifecycle/properties";
import { check } from "../../kit/steps/check";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { readImported } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { clientOf } from "../engine/engine-fixture";
import { full } from "../full";
import type { Meaning, Property } from "../spellings/meaning";
import { properties } from "../spellings/properties";
import { bytes, instantSpellings, name, sizeSpellings, uuidSpellings } from "../spellings/values";
import { lifecycleFixture } from "./lifecycle-fixture";

const UUID = "0a28102d-6906-11ee-8553-eaa7715aeaf2";
const PAIRS = full ? 5_000 : 50;

const titled = properties.map((one) => [`${one.resource.type}.${one.property}`, one] as const);

function written({ resource, property, beside }: Property, spelling: unknown, olds: Properties = {}): Properties {
  const propose = nameProposer({ logicalName: "orders", randomSeed: new Uint8Array(32) });
  const news = { ...beside, [property]: spelling };
  const { inputs, failures } = check(resource, { news, olds, account: "acme", propose });
  if (failures.length > 0) expect(failures).toEqual([]);
  return inputs;
}

const differs = ({ resource, property }: Property, compared: Omit<Sides, "id">): boolean =>
  compare(resource, compared).some((difference) => difference.property.name === property);

const isLeftOut = (spelling: unknown): boolean => spelling === undefined || spelling === null;

interface Written {
  readonly first: unknown;
  readonly second: unknown;
  readonly shown: Properties;
  readonly other: unknown;
  readonly otherShown: Properties;
}

/** Calls `expect` only if the assertion fails, because the tests make some 500,000 of these assertions. */
function assertDiffers(one: Property, compared: Omit<Sides, "id">, expected: boolean, when: string): void {
  const found = differs(one, compared);
  if (found !== expected) expect(found, when).toBe(expected);
}

/** Asserts that equivalent spellings never cause a difference, and that different values always do. */
function holds(one: Property, { first, second, shown, other, otherShown }: Written): void {
  const { resource, property, remembered = {} } = one;
  const local = !resource.properties.get(property).isSent;
  const before = written(one, first);
  const after = written(one, second, before);
  const found = { ...one.beside, ...remembered, ...shown };
  const state = resource.properties.record(found, before, {});

  assertDiffers(one, { oldInputs: before, state, news: before }, false, "as it was");
  // Nobody knows what the platform has, so the program's first value counts as a change even if it is the default.
  const isUnread = resource.properties.get(property).isLeftOutOf({}) && isLeftOut(first) && !isLeftOut(second);
  assertDiffers(one, { oldInputs: before, state, news: after }, isUnread, "respelled");
  // Skips properties that the platform does not store: after an import, their values are unknown until the next update
  // records them.
  if (!local) {
    const imported = argumentsFromState(resource, found);
    assertDiffers(one, { oldInputs: imported, state: found, news: before }, false, "imported");
    if (resource.unimportable === undefined && isLeftOut(first))
      assertDiffers(
        one,
        {
          oldInputs: argumentsFromState(resource, { ...found, ...otherShown }),
          state: { ...found, ...otherShown },
          news: before,
        },
        false,
        "imported, left out",
      );
  }

  for (const oldInputs of [before, after]) {
    const now = resource.properties.record(found, oldInputs, state);
    assertDiffers(one, { oldInputs, state: now, news: written(one, other, oldInputs) }, true, "rewritten");
    if (local) continue;
    const drifted = resource.properties.record({ ...found, ...otherShown }, oldInputs, now);
    // A change outside Pulumi is drift only if the program sets the property.
    const managed = oldInputs[property] !== undefined;
    assertDiffers(one, { oldInputs, state: drifted, news: oldInputs }, managed, "changed outside");
  }
}

/** Returns every spelling and every observed form of a value, in pairs, because no assertion looks at both. */
const sideBySide = ({ spellings, observed }: Meaning): Pick<Written, "other" | "otherShown">[] =>
  Array.from({ length: Math.max(spellings.length, observed.length) }, (_, index) => ({
    other: spellings[index % spellings.length],
    otherShown: observed[index % observed.length] as Properties,
  }));

const onesOf = ([meaning, another]: readonly [Meaning, Meaning]): fc.Arbitrary<Written> =>
  fc.record({
    first: fc.constantFrom(...meaning.spellings),
    second: fc.constantFrom(...meaning.spellings),
    shown: fc.constantFrom(...meaning.observed),
    other: fc.constantFrom(...another.spellings),
    otherShown: fc.constantFrom(...another.observed),
  });

const configured = properties.find(({ property }) => property === "sizeLimit") as Property;

test("reports a difference between sizes that are unequal in every interpretation of their units", () => {
  const spelled = bytes.chain((one) => fc.constantFrom(...sizeSpellings(one)));
  const certain = fc
    .record({ shown: spelled, chain: fc.array(spelled, { maxLength: 3 }), wanted: spelled })
    .filter(({ shown, wanted }) => !wanted.readings.some((reading) => shown.readings.includes(reading)));
  const hidden = {
    shown: { text: "1000mb", readings: [] },
    chain: [{ text: "1gb", readings: [] }],
    wanted: { text: "1024mb", readings: [] },
  };
  fc.assert(
    fc.property(certain, ({ shown, chain, wanted }) => {
      let inputs = written(configured, shown.text);
      let state: Properties = { sizeLimit: shown.text };
      for (const { text } of chain) {
        inputs = written(configured, text, inputs);
        state = configured.resource.properties.record({ sizeLimit: shown.text }, inputs, state);
      }
      expect(differs(configured, { oldInputs: inputs, state, news: written(configured, wanted.text, inputs) })).toBe(
        true,
      );
    }),
    { numRuns: PAIRS, examples: [[hidden]] },
  );
});

test("reports a difference instead of failing if a value from the platform cannot be parsed", () => {
  const oldInputs = { database: "x", allowedIps: ["10.0.0.0/8"] };
  for (const shown of ["10.0.0.0-10.0.0.9", "office", "010.0.0.1", ""]) {
    const state = databaseConfiguration.properties.record({ database: "x", allowedIps: [shown] }, oldInputs, {});
    expect(compare(databaseConfiguration, { oldInputs, state, news: oldInputs })).toHaveLength(1);
  }
});

describe("a comparison", () => {
  test.each(titled)("recognizes which handwritten values of %s are equivalent", (_, one) => {
    for (const meaning of one.meanings)
      for (const another of one.meanings)
        for (const first of meaning === another ? [] : meaning.spellings)
          for (const second of meaning.spellings)
            for (const shown of meaning.observed)
              for (const others of sideBySide(another)) holds(one, { first, second, shown, ...others });
  });

  test.each(titled)("recognizes which generated values of %s are equivalent", (_, one) => {
    fc.assert(
      fc.property(one.generated.chain(onesOf), (spelled) => holds(one, spelled)),
      { numRuns: PAIRS },
    );
  });
});

test("ignores properties that the program omits on import, but resets those that it removes later", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const { id } = await create(database, { name: "orders", group: "default" }, here.context);
  const at = { organizationSlug: "acme", databaseName: "orders" };
  await outside.updateDatabaseConfiguration({ ...at, body: { delete_protection: true, block_writes: true } });
  const { inputs, state } = await readImported(databaseConfiguration, id, here.context);
  const news = { database: id, blockWrites: true };
  const imported: Sides = { id, oldInputs: inputs, state, news };
  expect(compare(databaseConfiguration, imported)).toEqual([]);
  await update(databaseConfiguration, { ...imported, news: { ...news, sizeLimit: "1gb" } }, here.context);
  const configuration = () => outside.retrieveDatabaseConfiguration(at);
  expect(await configuration()).toMatchObject({ delete_protection: true, block_writes: true, size_limit: "1gb" });
  await update(databaseConfiguration, { ...imported, oldInputs: news, news: { database: id } }, here.context);
  expect(await configuration()).toMatchObject({ delete_protection: true, block_writes: false, size_limit: "1gb" });
});

describe("a create-only property", () => {
  interface Told {
    readonly before: unknown;
    readonly same: unknown;
    readonly other: unknown;
    readonly remembered: Properties;
  }
  const copyOf = fc
    .record({
      dbId: fc.uuid(),
      name,
      instant: fc.date({ min: new Date(0), max: new Date("2100"), noInvalidDate: true }),
    })
    .chain(({ dbId, name: parent, instant }) =>
      fc.integer({ min: -700, max: 700 }).map((minutes) => {
        const names = [...uuidSpellings(dbId), parent];
        const timestamps = instantSpellings(instant, minutes);
        return {
          at: instant.getTime(),
          parent: { dbId, name: parent },
          seeds: names.flatMap((database) => timestamps.map((timestamp) => ({ database, timestamp }))),
        };
      }),
    );
  const copies = fc
    .tuple(copyOf, copyOf)
    // Two databases of one name, at the same instant, can be written in the same way.
    .filter(
      ([one, other]) =>
        one.at !== other.at || (one.parent.dbId !== other.parent.dbId && one.parent.name !== other.parent.name),
    )
    .chain(([one, another]) =>
      fc.record<Told>({
        before: fc.constantFrom(...one.seeds),
        same: fc.constantFrom(...one.seeds),
        other: fc.constantFrom(...another.seeds),
        remembered: fc.constant({ parent: one.parent }),
      }),
    );
  const file = fc.stringMatching(/^[a-z]{1,9}$/);
  const files = fc.uniqueArray(file, { minLength: 2, maxLength: 2 });
  const folder = fc.constantFrom("", "./", "/srv/", "../");
  const query = fc.constantFrom("", "?signature=1", "?signature=2#x");
  const dumps = fc.tuple(files, folder, folder).map<Told>(([[one, another], before, same]) => ({
    ...{ before: { dumpFile: before + one }, same: { dumpFile: same + one }, other: { dumpFile: before + another } },
    remembered: {},
  }));
  const addresses = fc.tuple(files, query, query).map<Told>(([[one, another], before, same]) => {
    const at = (path: string) => ({ dumpUrl: `https://x/${path}` });
    return { before: at(one + before), same: at(one + same), other: at(another + before), remembered: {} };
  });
  const sizes = configured.generated
    .chain(onesOf)
    .filter(({ first, second, other }) => [first, second, other].every((one) => typeof one === "string"))
    .map<Told>(({ first, second, other }) => ({ before: first, same: second, other, remembered: {} }));

  test.each<[string, fc.Arbitrary<Told>]>([
    ["seed", fc.oneof(copies, dumps, addresses)],
    ["sizeLimit", sizes],
  ])("never causes an update, but prints a warning if its value changes: `%s`", async (property, generated) => {
    const here = await lifecycleFixture();
    const made = { name: "orders", group: "default" };
    await fc.assert(
      fc.asyncProperty(generated, async ({ before, same, other, remembered }) => {
        const oldInputs = { ...made, [property]: before };
        const state = { ...oldInputs, groupName: "default", ...remembered };
        const said = async (value: unknown) => {
          here.said.length = 0;
          const news = { ...made, [property]: value };
          expect((await diff(database, { id: UUID, oldInputs, state, news }, here.context)).differences).toEqual([]);
          return here.said.length;
        };
        expect(await said(same)).toBe(0);
        expect(await said(other)).toBe(1);
      }),
      { numRuns: PAIRS },
    );
    expect(here.takeOperations()).toEqual([]);
  });
});
