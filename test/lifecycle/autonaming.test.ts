// @module-tag clear-messages

import fc from "fast-check";
import { expect, test } from "vitest";
import { sameGeneratedName, sameValue } from "../../kit/lifecycle/messages";
import { type NameRequest, nameProposer } from "../../kit/lifecycle/naming";
import { FILLED_IN } from "../../kit/lifecycle/properties";
import { check } from "../../kit/steps/check";
import { nameLengthLimit, nameProblem } from "../../platform/values/name";
import { database } from "../../provider/resources/database/database";

const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,52}$/);

test("generates a valid name for any logical name, and the same name for the same seed", () => {
  fc.assert(
    fc.property(fc.string(), fc.uint8Array({ minLength: 32, maxLength: 32 }), slug, (logicalName, randomSeed, org) => {
      const make = () => nameProposer({ logicalName, randomSeed })(nameLengthLimit(org), "organization");
      const made = make() as { name: string };
      expect(nameProblem(made.name)).toBeUndefined();
      expect(made.name.length).toBeLessThanOrEqual(nameLengthLimit(org));
      expect(make()).toEqual(made);
    }),
  );
});

const named = (proposed: string, longest = nameLengthLimit("acme")) => {
  const request = { logicalName: "orders", randomSeed: new Uint8Array(), autonaming: { mode: "propose", proposed } };
  return (nameProposer(request as NameRequest)(longest, "organization") as { name: string }).name;
};

test("cuts a long proposal in the middle, and keeps its end", () => {
  const proposed = "organization-shop-backend-production-customer-orders-archive-eu-3fa91c";
  expect(named(proposed)).toBe("organization-shop-backen-145c023-orders-archive-eu-3fa91c");
});

test("generates valid names from proposals of any length, and different ones from different proposals", () => {
  const proposal = fc.stringMatching(/^[a-z]([a-z0-9-]{0,90}[a-z0-9])?$/);
  fc.assert(
    fc.property(proposal, proposal, fc.integer({ min: 9, max: 64 }), (one, other, longest) => {
      for (const proposed of [one, other, `${one}-${other}`]) {
        const name = named(proposed, longest);
        expect(nameProblem(name)).toBeUndefined();
        expect(name.length).toBeLessThanOrEqual(longest);
        if (proposed.length <= longest) expect(name).toBe(proposed);
      }
      // The random part may be anywhere in the pattern.
      const beside = (random: string) => named(`${one}-${random}-${other}`, longest);
      expect(beside("3fa91c")).not.toBe(beside("77d0e2"));
    }),
  );
});

test("says what to do if two resources of a program get the same generated name", () => {
  const owner = { urn: "urn-of-first" };
  const autonaming = { mode: "propose", proposed: "orders" } as const;
  const { failures } = check(database, {
    news: { group: "default" },
    olds: {},
    account: "acme",
    propose: nameProposer({ logicalName: "Orders", randomSeed: new Uint8Array(), autonaming }),
    claim: (property) => (property === "name" ? owner.urn : undefined),
  });
  expect(failures).toEqual([{ property: "name", reason: sameGeneratedName({ ...owner, name: "orders" }) }]);
});

test.each([
  ["generated", {}, { name: "orders-3f2a1b9", [FILLED_IN]: ["name"] }],
  ["own", { name: "orders" }, { name: "orders" }],
])("never advises to change the %s name of an existing resource", (_, given, olds) => {
  const urn = "urn-of-copy";
  const { failures } = check(database, {
    news: { group: "default", ...given },
    olds: { group: "default", ...olds },
    account: "acme",
    propose: nameProposer({ logicalName: "orders", randomSeed: new Uint8Array() }),
    claim: (property) => (property === "name" ? urn : undefined),
  });
  const facts = { urn, isUnchanged: true };
  const reason =
    "name" in given ? sameValue({ ...facts, property: "name" }) : sameGeneratedName({ ...facts, name: olds.name });
  expect(failures).toEqual([{ property: "name", reason }]);
  expect(reason).toContain("choose another `name` there");
});
