import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { encryptionReplaced } from "../../provider/resources/database/messages";
import { engineFixture } from "./engine-fixture";

const keyOf = (fill: string) => `s3cretKeyOfADatabaseForTheTestOfTheEngine${fill}0=`;

test("restores an encrypted database with its key, and warns that changing the key replaces the database", async () => {
  const here = await engineFixture();
  const given: { key?: string } = { key: keyOf("A") };
  const stack = await here.stack(async () => {
    const encryption = given.key === undefined ? {} : { encryption: { cipher: "aegis256" as const, key: given.key } };
    const { dbId, encryptionCipher } = new plugin.Database("orders", {
      name: "orders",
      group: "default",
      ...encryption,
    });
    return { dbId, encryptionCipher };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { dbId, encryptionCipher } = await stack.outputs();
  expect(encryptionCipher).toBe("aegis256");
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  await here.delete(String(dbId));
  here.writes();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual(["restoreDatabase"]);
  expect(await stack.outputs()).toEqual({ dbId, encryptionCipher });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  given.key = keyOf("B");
  const preview = await stack.preview({ diff: true });
  expect(preview).toMatchObject({ code: 0 });
  expect(preview.output).toContain(encryptionReplaced({ title: 'database "orders"', isEncrypted: true }));
  expect(preview.output).not.toContain("s3cret");

  delete given.key;
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual([]);
  const { deployment } = await stack.exportState();
  expect(JSON.stringify(deployment)).toContain('"encryptionCipher":"aegis256"');
  expect(JSON.stringify(deployment)).not.toContain('"encryption":');
  expect(stack.filesWith("s3cret")).toEqual([]);
});

test("creates an encrypted copy with the dynamic provider, and refuses a copy without the key", async () => {
  const here = await engineFixture();
  const encryption = { cipher: "aes128gcm", key: Buffer.alloc(16, 7).toString("base64") } as const;
  let copied = {};
  const stack = await here.stack(async () => {
    const { dbId } = new dynamic.Database("orders", { name: "orders", group: "default", encryption });
    const seed = { database: dbId };
    const copy = new dynamic.Database("copy", { name: "copy", group: "default", seed, ...copied });
    return { cipher: copy.encryptionCipher };
  });
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain('database "orders" is encrypted');
  copied = { encryption };
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual({ cipher: "aes128gcm" });
  expect(stack.filesWith(encryption.key)).toEqual([]);
});
