import { expect, test } from "vitest";
import { refuse } from "../../platform/reference/messages";
import type { Seed } from "../../platform/reference/seed/seed";
import { world } from "./world";

const seed: Seed = {
  users: [{ username: "ada" }],
  rejected_on_aws: ["size_limit", "allow_attach"],
  organizations: [
    {
      slug: "acme",
      plan: "scaler",
      members: [{ username: "ada", role: "owner" }],
      groups: [{ name: "default" }, { name: "older", location: "ams" }],
      databases: [{ name: "orders" }, { name: "old", group: "older" }],
    },
  ],
};

test("rejects settings on AWS if the seed says so, and accepts them elsewhere and with their defaults", async () => {
  const { owner, slug } = await world({ seed });
  const at = { ...slug, databaseName: "orders" };
  const bodies = { size_limit: { size_limit: "1gb" }, allow_attach: { allow_attach: true } };
  for (const [setting, body] of Object.entries(bodies)) {
    const error = refuse.rejectedOnAws({ setting }).message;
    expect(await owner.refused("updateDatabaseConfiguration", { ...at, body })).toMatchObject({ status: 400, error });
    await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "old", body });
  }
  const defaults = { size_limit: "", allow_attach: false, block_writes: true };
  await owner.ok("updateDatabaseConfiguration", { ...at, body: defaults });
  const creation = (group: string) => ({ ...slug, body: { name: `new-in-${group}`, group, size_limit: "1gb" } });
  expect(await owner.status("createDatabase", creation("default"))).toBe(400);
  await owner.ok("createDatabase", creation("older"));
});

test("accepts these settings in every location by default", async () => {
  const { owner, slug, database } = await world();
  await database("orders");
  const body = { size_limit: "1gb", allow_attach: true };
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "orders", body });
});
