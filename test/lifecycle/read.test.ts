import { expect, test } from "vitest";
import { create } from "../../kit/steps/create";
import { database } from "../../provider/resources/database/database";
import { lifecycleFixture } from "./lifecycle-fixture";

test("of what the platform no longer shows, the state keeps only outputs that are declared as kept", async () => {
  const { context } = await lifecycleFixture();
  const { id, state } = await create(database, { group: "default", name: "orders" }, context);
  const parent = { dbId: id, name: "older", branchedAt: "2026-11-20T08:00:00Z" };
  const known = { ...state, parent, encryptionCipher: "aegis256" };
  const found = await database.read(id, context.platform, { known });
  expect(found).toMatchObject({ status: "live", state: { encryptionCipher: "aegis256" } });
  expect(found).not.toHaveProperty("state.parent");
  expect(await database.read(id, context.platform, { known: state })).not.toHaveProperty("state.encryptionCipher");
});
