import { expect, test } from "vitest";
import { PROMISES, TAGS_OF_FILES } from "../tags.mts";

test("each section of promises in docs/reliability.md is a tag of a test file, and no test file has another", () => {
  const tags = new Set([...TAGS_OF_FILES.values()].flat());
  expect(tags).toEqual(new Set(["more", ...PROMISES.map(({ name }) => name)]));
});
