import { expect, test } from "vitest";
import { classifyRefusal } from "./wording";

/** These statuses and messages come from the public service (wire-facts 3.4, 2.2, 1.2 and 5.1). */
test.each([
  [409, "database with name [orders] already exists", "taken"],
  [400, "database with same name already exists", "taken"],
  [400, "Namespace `orders` already exists", "taken"],
  [409, "group already exists", "taken"],
  [400, "group not found", "absent"],
  [404, "group default not found", "absent"],
  [404, "could not find database with name [orders]: record not found", "absent"],
  [404, "organization not found", "unseen"],
  [404, "organization 26543 not found", "unseen"],
  [400, "invalid location: amss", "invalid"],
  [400, "invalid database name: name must contain between 1 and 52 characters", "invalid"],
  [422, "group name is not available", "invalid"],
  [403, "group-scoped token cannot access org-level resources", "forbidden"],
  [402, "maximum database count of 5 reached", "forbidden"],
])("classifies a response with status %i and message %j as `%s`", (status, error, kind) => {
  expect(classifyRefusal(status, error, undefined)[0]).toBe(kind);
});

test.each([
  [500, true],
  [502, true],
  [503, false],
  [409, false],
])("a response with status %i sets `uncertain` to %s", (status, uncertain) => {
  expect(classifyRefusal(status, "", undefined)[1].uncertain).toBe(uncertain);
});
