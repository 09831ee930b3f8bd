import { afterAll, expect, test } from "vitest";
import { resources } from "../../provider/resources/list";
import { examples } from "./examples";
import { objectLaws } from "./laws";
import { stopPlatforms } from "./platform";

afterAll(stopPlatforms);

test("each resource type has an example", () => {
  expect(Object.keys(examples).sort()).toEqual(resources.map(({ type }) => type).sort());
});

for (const { name, run } of objectLaws(examples)) test(name, run);
