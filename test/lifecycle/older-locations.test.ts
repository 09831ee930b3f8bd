import { expect, test } from "vitest";
import { create } from "../../kit/steps/create";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { isOlderLocation } from "../../platform/values/location";
import { group } from "../../provider/resources/group/group";
import { OLDER_LOCATION, olderLocation } from "../../provider/resources/group/messages";
import { schema } from "../../tools/schema";
import { lifecycleFixture } from "./lifecycle-fixture";

interface Word {
  readonly value: string;
  readonly deprecationMessage?: string;
}

test("editors mark exactly the locations of three letters as deprecated", () => {
  const types = schema().types as Record<string, { readonly enum?: readonly Word[] }>;
  const words = types["dbplatform:index:Location"]?.enum ?? [];
  expect(words.some(({ value }) => value === "ams")).toBe(true);
  for (const { value, deprecationMessage } of words) {
    expect(isOlderLocation(value), value).toBe(/^[a-z]{3}$/.test(value));
    expect(deprecationMessage, value).toBe(isOlderLocation(value) ? OLDER_LOCATION : undefined);
  }
  for (const advice of [OLDER_LOCATION, olderLocation({ location: "ams" })])
    expect(advice).toMatch(/For a new group, write .* Do not change the location of an existing group/);
});

test("§4.5 warns once of each older location in the preview and in the update, also of one that is added, and accepts it", async () => {
  const here = await lifecycleFixture(
    {},
    {
      seed: {
        locations: "fly",
        users: [{ username: "ada" }],
        organizations: [
          {
            slug: "acme",
            plan: "scaler",
            members: [{ username: "ada", role: "owner" }],
            groups: [{ name: "old", location: "fra" }],
          },
        ],
      },
    },
  );
  const wanted = { name: "team", location: "ams", locations: ["lhr"] };
  await planCreate(group, wanted, here.again());
  expect(here.said.splice(0)).toEqual(["ams", "lhr"].map((location) => olderLocation({ location })));
  const { id, state } = await create(group, wanted, here.again());
  expect(state).toMatchObject({ location: "ams", locations: ["lhr"] });
  expect(here.said.splice(0)).toEqual(["ams", "lhr"].map((location) => olderLocation({ location })));
  here.api.fault({ operation: "createGroup", status: 403, body: { error: "forbidden" } });
  await expect(create(group, { ...wanted, name: "refused" }, here.again())).rejects.toThrow();
  expect(here.said.splice(0)).toEqual([]);
  const update = { id, oldInputs: wanted, state, news: { ...wanted, locations: ["lhr", "waw"] } };
  await planUpdate(group, update, here.again());
  expect(here.said.splice(0)).toContain(olderLocation({ location: "waw" }));
  const current = await lifecycleFixture();
  await planCreate(group, { name: "team", location: "aws-us-east-1" }, current.context);
  expect(current.said).toEqual([]);
});
