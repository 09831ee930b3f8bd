// @module-tag nothing-is-created-twice-or-adopted

import { expect, test } from "vitest";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { aDatabase } from "../stories/declarations";
import { programOf } from "./scenario-fixture";

test("never takes another user's empty database for a copy whose creation got no response", async () => {
  const here = await engineFixture();
  await here.createDatabase("orders");
  const wire = await faultyWire(here.api.url);
  wire.trouble = ({ operation }) =>
    operation === "createDatabase"
      ? async ({ cut }) => {
          await here.createDatabase("copy");
          cut();
        }
      : undefined;
  const stack = fakeStack({ api: here.api, baseUrl: wire.url });
  const copy = aDatabase({ name: "copy", group: "default", seed: { database: "orders" } });
  expect((await stack.run(programOf({ copy }), { preview: false })).failure).toContain("it is not known whether");
  expect((await stack.managed()).size).toBe(0);
});
