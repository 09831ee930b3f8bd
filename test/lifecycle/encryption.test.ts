// @module-tag secrets-stay-secret

import { expect, test } from "vitest";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { aDatabase } from "../stories/declarations";
import { programOf } from "./scenario-fixture";

test("shows no difference if the platform's responses omit the cipher", async () => {
  const { api } = await engineFixture();
  const wire = await faultyWire(api.url);
  wire.trouble = ({ method }) =>
    method === "GET"
      ? async ({ forward, send }) => {
          const { status, text } = await forward();
          send(status, text.replaceAll(/"encryption_cipher":"\w+",/g, ""));
        }
      : undefined;
  const stack = fakeStack({ api, baseUrl: wire.url });
  const encryption = { cipher: "aegis256", key: Buffer.alloc(32, 7).toString("base64") };
  const program = programOf({ orders: aDatabase({ name: "orders", group: "default", encryption }) });
  expect((await stack.run(program, { preview: false })).failure).toBeUndefined();
  for (const preview of [true, false])
    expect(await stack.run(program, { preview })).toMatchObject({ changes: [], said: [] });
  expect((await stack.managed()).get("orders")?.outputs).toMatchObject({ encryption, encryptionCipher: "aegis256" });
});
