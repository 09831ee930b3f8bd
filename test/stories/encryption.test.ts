// @module-tag no-database-is-lost
// @module-tag secrets-stay-secret

import { expect, test } from "vitest";
import type { Value } from "../fake-engine/declared-program";
import { aDatabase, anApiToken } from "./declarations";
import { databaseDeleted, databaseRestored, databaseRestorePlanned } from "./messages";
import { organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

const keyOf = (fill: string) => `s3cretKeyOfADatabaseForTheTestOfTheEngine${fill}0=`;

const key = keyOf("A");
const encryption = { cipher: "aegis256", key };

const orders = (given?: Value) =>
  aDatabase({ name: "orders", group: "default", ...(given === undefined ? {} : { encryption: given }) });

/** A resource whose outputs a preview does not know yet. */
const ci = anApiToken({ name: "ci" });

const cipherOf = async ({ here }: StoryScene, databaseName: string) =>
  (await here.outside.retrieveDatabase({ organizationSlug, databaseName })).database.encryption_cipher;

const isReplacement = (message: RegExp, ...others: RegExp[]) => ({
  changes: { orders: "replace encryption" },
  says: [message, ...others],
});

test(
  "restores an encrypted database with its key, and warns that changing the key or the cipher replaces the database",
  story({
    wished: { orders: orders(encryption) },
    preview: false,
    up: { changes: { orders: "create" } },
    async afterwards(scene) {
      expect(scene.managed("orders").outputs.encryptionCipher).toBe("aegis256");
      expect(await scene.secret("orders", "encryption")).toBeDefined();
      expect(await cipherOf(scene, "orders")).toBe("aegis256");
    },
    next: [
      {
        outside: ({ here, firstId }) => here.deleteDatabase(firstId("orders")),
        wished: { orders: orders({ ...encryption, key: keyOf("B") }) },
        expected: {
          fails: /^(?!.*s3cret).*deleted with .*the recorded key.*program sets .*another key/s,
          says: [databaseDeleted("orders")],
        },
      },
      {
        wished: { orders: orders(encryption) },
        expected: {
          changes: { orders: "update deletedAt" },
          says: [databaseDeleted("orders")],
          writes: ["restoreDatabase"],
        },
        preview: ({ firstId }) => ({ says: [databaseRestorePlanned("orders", firstId("orders"))] }),
        up: { says: [databaseRestored("orders")] },
        afterwards: ({ managed, firstId }) =>
          expect(managed("orders")).toMatchObject({ id: firstId("orders"), outputs: { encryptionCipher: "aegis256" } }),
      },
      {
        wished: { orders: orders({ ...encryption, key: keyOf("B") }) },
        preview: isReplacement(/`encryption` replaces database "orders" .* earlier key/, /without its data/),
        up: false,
      },
      {
        wished: { orders: orders({ ...encryption, cipher: "aes256gcm" }) },
        preview: isReplacement(/`encryption` replaces database "orders" .* earlier key/, /without its data/),
        up: false,
      },
      {
        wished: {
          ci,
          orders: orders({ ...encryption, key: { of: "ci", output: "token" } }),
        },
        preview: {
          changes: { ci: "create", orders: "replace encryption" },
          says: [/`encryption` of database "orders" is not known yet\. If it changes, .* without its data/],
        },
        up: false,
      },
      {
        wished: { orders: orders() },
        preview: false,
        up: { writes: [] },
        afterwards({ managed }) {
          expect(managed("orders").outputs.encryptionCipher).toBe("aegis256");
          expect(managed("orders").outputs).not.toHaveProperty("encryption");
        },
      },
    ],
  }),
);

test(
  "warns that the encryption of a database that is not encrypted replaces it",
  story({
    before: { orders: orders() },
    wished: { orders: orders(encryption) },
    preview: isReplacement(/`encryption` replaces database "orders" without its data((?!earlier key).)*$/),
    up: false,
  }),
);

/** Creates databases outside Pulumi, of which `plain` is not encrypted, and notes their ids. */
const createOutside =
  (...names: readonly string[]) =>
  async ({ here, facts }: StoryScene): Promise<void> => {
    const remote_encryption = { encryption_cipher: "aegis256", encryption_key: key } as const;
    for (const name of names) {
      const body = { name, group: "default", ...(name === "plain" ? {} : { remote_encryption }) };
      facts[name] = (await here.outside.createDatabase({ organizationSlug, body })).database.DbId;
    }
  };

const imported = ({ fact }: StoryScene, name: string, given?: object) =>
  aDatabase({ name, group: "default", ...(given && { encryption: given as Value }) }, { import: fact(name) });

test(
  "imports an encrypted database, whose key nobody can compare, but not with another cipher",
  story({
    past: createOutside("a", "b", "c", "plain"),
    wished: (scene) => ({ a: imported(scene, "a", { cipher: "aes256gcm", key }) }),
    preview: { fails: /^(?!.*s3cret).*aegis256.*aes256gcm/s },
    up: false,
    next: [
      {
        wished: (scene) => ({ plain: imported(scene, "plain", encryption) }),
        preview: { fails: /^(?!.*s3cret).*encryption.*none.*aegis256/s },
        up: false,
      },
      {
        wished: (scene) => ({
          a: imported(scene, "a"),
          b: imported(scene, "b", encryption),
          c: imported(scene, "c", { ...encryption, key: keyOf("B") }),
        }),
        expected: { changes: { a: "import", b: "import", c: "import" }, writes: [] },
      },
    ],
  }),
);

const copy = (given?: Value) =>
  aDatabase({
    ...{ name: "copy", group: "default", seed: { database: "orders" } },
    ...(given === undefined ? {} : { encryption: given }),
  });

const needsKey = { fails: 'encryption: database "orders" is encrypted with aegis256' };

test(
  "copies an encrypted database only with its cipher, and finds the copy after a lost response",
  story({
    past: createOutside("orders"),
    wished: { copy: copy() },
    expected: needsKey,
    next: [
      { wished: { copy: copy({ ...encryption, cipher: "aes256gcm" }) }, expected: needsKey },
      {
        wished: { ci, copy: copy({ ...encryption, key: { of: "ci", output: "token" } }) },
        preview: { changes: { ci: "create", copy: "create" } },
        up: false,
      },
      {
        outside: ({ here }) => here.api.fault({ operation: "createDatabase", reset: "after" }),
        wished: { copy: copy(encryption) },
        expected: { changes: { copy: "create" } },
        up: { says: ['The response was lost, but database "copy"'] },
        async afterwards(scene) {
          expect(scene.managed("copy").outputs).toMatchObject({
            encryptionCipher: "aegis256",
            parent: { dbId: scene.fact("orders") },
          });
          expect(await cipherOf(scene, "copy")).toBe("aegis256");
        },
      },
    ],
  }),
);

test(
  "hides a key that the platform repeats in an error",
  story({
    outside: ({ here }) =>
      here.api.fault({ operation: "createDatabase", status: 400, body: { error: `cannot use ${key}` } }),
    wished: { orders: orders(encryption) },
    preview: false,
    up: { fails: /^(?!.*s3cret).*cannot use \[hidden\]/s },
  }),
);
