import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../../../test/full";
import type { PlatformContext } from "../../platform";
import { isTemporaryCopy, temporaryCopyName } from "./temporary-copies";

test("each temporary copy of a database has a name of its own, whatever the name of the organization leaves", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 3, max: 40 }), (id, length) => {
      const context = { platform: { organization: { slug: "a".repeat(length) } } } as PlatformContext;
      const copy = { Name: temporaryCopyName("migrations", id, context), parent: { id, name: "", branched_at: "" } };
      expect(copy.Name).toMatch(/^[a-z0-9]/);
      expect(isTemporaryCopy("migrations", copy, context)).toBe(true);
      expect(isTemporaryCopy("keepData", copy, context)).toBe(false);
      expect(isTemporaryCopy("migrations", { ...copy, parent: null }, context)).toBe(false);
    }),
    seeded,
  );
});
