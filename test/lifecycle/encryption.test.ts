// @module-tag no-database-is-lost
// @module-tag secrets-stay-secret

import { describe, expect, test } from "vitest";
import { createdDespiteLostResponse } from "../../kit/lifecycle/messages";
import { nameProposer } from "../../kit/lifecycle/naming";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import { importContradiction, restoreContradiction } from "../../kit/lifecycle/restore/messages";
import { check } from "../../kit/steps/check";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { createByImport } from "../../kit/steps/import";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readImported, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { CIPHERS, keyLengthOf } from "../../platform/values/cipher";
import { database } from "../../provider/resources/database/database";
import {
  anotherKey,
  copyNeedsKey,
  dataPossiblyLeftBehind,
  encryptionReplaced,
  keyInvalid,
  NOT_ENCRYPTED,
  recordedKey,
} from "../../provider/resources/database/messages";
import { clientOf } from "../engine/engine-fixture";
import { faultyWire } from "../faulty-wire";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";
const keyOf = (fill: number, length = 32) => Buffer.alloc(length, fill).toString("base64");
const KEY = keyOf(7);
const ANOTHER = keyOf(8);
const encryption = { cipher: "aegis256", key: KEY };
const args = { name: "orders", group: "default", encryption };
const plain = { name: "orders", group: "default" };

const outside = ({ api }: LifecycleFixture) => clientOf(api, api.apiToken);

const cipherOf = async (here: LifecycleFixture, databaseName = "orders") =>
  (await outside(here).retrieveDatabase({ organizationSlug, databaseName })).database.encryption_cipher;

const messageOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => expect.fail("nothing was refused"),
    ({ message }) => message,
  );

async function encrypted(given: Properties = args) {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, given, here.context);
  const remove = () => outside(here).deleteDatabaseById({ organizationId: here.api.organizationId, databaseId: id });
  /** Returns the differences between the database and the inputs `news`. */
  const against = (news: Properties, oldInputs: Properties = given) =>
    diff(database, { id, oldInputs, state, news }, here.context);
  return { here, id, state, remove, against };
}

describe("the input check", () => {
  const checked = (given: unknown) =>
    check(database, {
      news: { group: "default", encryption: given },
      olds: {},
      account: organizationSlug,
      propose: nameProposer({ logicalName: "orders", randomSeed: new Uint8Array(32) }),
    });

  test.each<[string, unknown, string]>([
    [
      "a key that is too short",
      { cipher: "aegis256", key: keyOf(7, 16) },
      `encryption.key: ${keyInvalid({ cipher: "aegis256", bytes: 32 })}`,
    ],
    [
      "a key that is too long",
      { cipher: "aes128gcm", key: KEY },
      `encryption.key: ${keyInvalid({ cipher: "aes128gcm", bytes: 16 })}`,
    ],
    [
      "a key that is not base64",
      { cipher: "aegis256", key: `${KEY.slice(0, -4)}é!!=` },
      "encryption.key: must be 32 bytes",
    ],
    ["an unknown cipher", { cipher: KEY, key: KEY }, "encryption.cipher: must be "],
    ["a missing key", { cipher: "aegis256" }, "encryption.key: is required"],
    ["a missing cipher", { key: KEY }, "encryption.cipher: is required"],
    ["a key instead of an object", KEY, "encryption: must be an object"],
  ])("rejects %s, and names the property without revealing the key", (_, given, expected) => {
    const failures = checked(given).failures.map(({ property, reason }) => `${property}: ${reason}`);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain(expected);
    expect(failures[0]).not.toContain(KEY.slice(0, 12));
  });

  test("accepts a key of the required length, with or without padding, and marks it as secret", () => {
    for (const cipher of CIPHERS) {
      const key = keyOf(7, keyLengthOf(cipher));
      for (const spelling of [key, key.replace(/=+$/, "")])
        expect(checked({ cipher, key: spelling })).toMatchObject({ failures: [], secrets: ["encryption"] });
    }
  });
});

test("creates an encrypted database, keeps the key in the state, and never reads it back", async () => {
  const { here, id, state, against } = await encrypted();
  expect(await cipherOf(here)).toBe("aegis256");
  expect(state).toMatchObject({ encryption, encryptionCipher: "aegis256" });
  for (const context of [here.context, here.again()])
    expect((await readManaged(database, { id, inputs: args, state }, context))?.state).toEqual(state);
  expect((await against(args)).differences).toEqual([]);
  const unpadded = { ...args, encryption: { ...encryption, key: KEY.replace(/=+$/, "") } };
  expect((await against(unpadded)).differences).toEqual([]);
  expect(JSON.stringify([here.said, here.api.journal()])).not.toContain(KEY);
  const imported = await readImported(database, id, here.again());
  expect(imported.state).toMatchObject({ encryptionCipher: "aegis256" });
  expect(JSON.stringify(imported)).not.toContain(KEY);
});

test.each<[string, Properties, string]>([
  ["another key", { cipher: "aegis256", key: ANOTHER }, "encryption.key"],
  ["another cipher", { cipher: "aes256gcm", key: KEY }, "encryption.cipher"],
])(
  "plans to replace a database if the program sets %s, and warns that its data will be lost",
  async (_, changed, path) => {
    const { here, against } = await encrypted();
    const { differences, deleteBeforeReplace } = await against({ ...args, encryption: changed });
    expect(differences).toMatchObject([{ path, kind: "update", replaces: true }]);
    expect(deleteBeforeReplace).toBe(true);
    expect(here.said).toEqual([encryptionReplaced({ title: 'database "orders"', isEncrypted: true })]);
  },
);

test("replaces an unencrypted database when the program adds `encryption`", async () => {
  const { here, against } = await encrypted(plain);
  expect((await against(args)).differences).toMatchObject([{ path: "encryption", replaces: true }]);
  expect(here.said).toEqual([encryptionReplaced({ title: 'database "orders"', isEncrypted: false })]);
});

test("keeps the database when the program removes `encryption`, and drops the key from the state", async () => {
  const { here, id, state, against } = await encrypted();
  expect((await against(plain)).differences).toEqual([]);
  const read = await readManaged(database, { id, inputs: plain, state }, here.again());
  expect(read?.state).toMatchObject({ encryptionCipher: "aegis256" });
  expect(read?.state).not.toHaveProperty("encryption");
  expect(here.said).toEqual([]);
});

test.each<[string, unknown]>([
  ["`encryption`", UNKNOWN],
  ["`encryption.key`", { cipher: "aegis256", key: UNKNOWN }],
])("warns of possible data loss if %s is not yet known", async (_, unknown) => {
  const { here, against } = await encrypted();
  expect((await against({ ...args, encryption: unknown })).differences).toMatchObject([{ replaces: true }]);
  expect(here.said).toEqual([dataPossiblyLeftBehind({ title: 'database "orders"', property: "encryption" })]);
});

test("shows no difference if the platform's responses omit the cipher", async () => {
  const here = await lifecycleFixture();
  const wire = await faultyWire(here.api.url);
  wire.trouble = ({ method }) =>
    method === "GET"
      ? async ({ forward, send }) => {
          const { status, text } = await forward();
          send(status, text.replaceAll(/"encryption_cipher":"\w+",/g, ""));
        }
      : undefined;
  const context = here.again({}, { baseUrl: wire.url });
  const { id, state } = await create(database, args, context);
  const read = await readManaged(database, { id, inputs: args, state }, here.again({}, { baseUrl: wire.url }));
  expect(read?.state).toEqual(state);
  expect(await diff(database, { id, oldInputs: args, state, news: args }, context)).toMatchObject({ differences: [] });
  expect(here.said).toEqual([]);
});

describe("an import", () => {
  test.each<[string, Properties]>([
    ["does not set `encryption`", plain],
    ["sets the cipher of the database", args],
    ["sets a key that cannot be compared", { ...args, encryption: { ...encryption, key: ANOTHER } }],
  ])("adopts an encrypted database if the program %s", async (_, news) => {
    const { here, id } = await encrypted();
    const context = here.again();
    const { state, inputs } = await readImported(database, id, context);
    expect(inputs).not.toHaveProperty("encryption");
    expect((await diff(database, { id, oldInputs: inputs, state, news }, context)).differences).toEqual([]);
    expect(here.said).toEqual([]);
  });

  test.each<[string, Properties, string]>([
    ["a different cipher than the program", args, "aegis256"],
    ["no encryption", plain, NOT_ENCRYPTED],
  ])("fails without revealing the key if the database has %s", async (_, given, is) => {
    const { here, id } = await encrypted(given);
    const context = here.again();
    const wanted = { cipher: "aes256gcm", key: ANOTHER };
    const { state, inputs } = await readImported(database, id, context);
    const compared = { id, oldInputs: inputs, state, news: { ...plain, encryption: wanted } };
    const difference = { property: "encryption", is, wanted: "aes256gcm", isDescribed: true } as const;
    const { answer, advice } = importContradiction({ title: 'database "orders"', id, difference });
    expect(await messageOf(diff(database, compared, context))).toBe(`${answer}. ${advice}`);
    expect(await messageOf(createByImport(database, id, compared.news, here.again()))).toContain(answer);
  });

  test("restores a deleted encrypted database with its cipher, and records the program's key", async () => {
    const { here, id, remove } = await encrypted();
    await remove();
    const imported = await createByImport(database, id, args, here.again());
    expect(imported.state).toMatchObject({ encryption, encryptionCipher: "aegis256" });
    expect(await cipherOf(here)).toBe("aegis256");
  });
});

test("restores an encrypted database if the program has its key, and reports an error if the key differs", async () => {
  const { here, id, state, remove } = await encrypted();
  await remove();
  const deleted = (await readManaged(database, { id, inputs: args, state }, here.again())) ?? { state: {} };
  expect(deleted.state).toMatchObject({ encryption, encryptionCipher: "aegis256", deletedAt: expect.any(String) });
  const compared = { id, oldInputs: args, state: deleted.state };
  const news = { ...args, encryption: { ...encryption, key: ANOTHER } };
  const refused = restoreContradiction({
    difference: {
      property: "encryption",
      is: recordedKey({ cipher: "aegis256" }),
      wanted: anotherKey({ cipher: "aegis256" }),
      isDescribed: true,
    },
  });
  for (const work of [planUpdate, update])
    expect(await messageOf(work(database, { ...compared, news }, here.again()))).toContain(refused);
  await expect(planUpdate(database, { ...compared, news: plain }, here.again())).resolves.toBeDefined();
  const restored = await update(database, { ...compared, news: args }, here.again());
  expect(restored).toEqual(state);
  expect(await cipherOf(here)).toBe("aegis256");
});

describe("a copy of an encrypted database", () => {
  const copy = (given?: unknown) => ({
    name: "copy",
    group: "default",
    seed: { database: "orders" },
    ...(given === undefined ? {} : { encryption: given }),
  });

  test.each<[string, unknown, string]>([
    ["no encryption", undefined, copyNeedsKey({ name: "orders", cipher: "aegis256" })],
    ["another cipher", { cipher: "aes256gcm", key: KEY }, copyNeedsKey({ name: "orders", cipher: "aegis256" })],
  ])("is rejected, even in the preview, if the program sets %s", async (_, given, expected) => {
    const { here } = await encrypted();
    here.asked();
    for (const work of [planCreate, create])
      expect(await messageOf(work(database, copy(given), here.again()))).toBe(`encryption: ${expected}`);
    expect(here.asked()).not.toContain("createDatabase");
  });

  test("has the cipher and key of its source", async () => {
    const { here } = await encrypted();
    await planCreate(database, copy(UNKNOWN), here.again());
    const { state } = await create(database, copy(encryption), here.again());
    expect(state).toMatchObject({ encryption, encryptionCipher: "aegis256", parent: { name: "orders" } });
    expect(await cipherOf(here, "copy")).toBe("aegis256");
  });
});

test("finds an encrypted database again when the response to its creation is lost", async () => {
  const here = await lifecycleFixture();
  const wire = await faultyWire(here.api.url);
  let lost = 0;
  wire.trouble = ({ operation }) =>
    operation === "createDatabase"
      ? async ({ forward, cut }) => {
          if (lost++ === 0) await forward();
          cut();
        }
      : undefined;
  const { id, state } = await create(database, args, here.again({}, { baseUrl: wire.url }));
  expect(state).toMatchObject({ encryption, encryptionCipher: "aegis256" });
  expect(here.said).toContain(createdDespiteLostResponse({ title: 'database "orders"', id }));
});

test("redacts the key if an error from the platform contains it", async () => {
  const here = await lifecycleFixture();
  const wire = await faultyWire(here.api.url);
  wire.trouble = ({ operation }) =>
    operation === "createDatabase"
      ? ({ send, body }) => send(400, JSON.stringify({ error: `cannot use ${body}` }))
      : undefined;
  const said = await messageOf(create(database, args, here.again({}, { baseUrl: wire.url })));
  expect(said).toContain("cannot use");
  expect(said).not.toContain(KEY.slice(0, 12));
});
