import { expect, test } from "vitest";
import type { OpenReferenceApi } from "../../platform/reference/server";
import { groupUnarchived } from "../../provider/resources/group/messages";
import { archive } from "../lifecycle/archive";
import { tenants } from "./declarations";
import { story } from "./story";

// Promise: All drift is shown
test(
  "unarchives an archived group, as previewed",
  story({
    before: { tenants },
    outside: ({ here: { api }, id }) => archive(api as OpenReferenceApi, id("tenants")),
    expected: ({ id }) => ({
      changes: { tenants: "update archived" },
      says: [groupUnarchived("tenants", id("tenants"))],
      writes: ["unarchiveGroup"],
    }),
    afterwards: ({ managed, id }) =>
      expect(managed("tenants")).toMatchObject({ id: id("tenants"), outputs: { archived: false } }),
  }),
);
