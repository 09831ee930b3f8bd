// @module-tag failures-and-interruptions
// @module-tag the-reference-api

import { expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import { noRoomToGenerate, unknownArgument } from "../../kit/lifecycle/messages";
import { nameProposer } from "../../kit/lifecycle/naming";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import { check } from "../../kit/steps/check";
import {
  INVALID_NAME,
  INVALID_TOKEN_NAME,
  invalidAddress,
  invalidLocationCode,
  invalidScope,
  invalidSize,
  invalidVpcEndpoint,
  longNameInOrganization,
  NAME_WITH_OUTER_HYPHEN,
  noRoomForNames,
} from "../../platform/values/messages";
import { PRESETS, SCOPES } from "../../platform/values/scope";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { dbIdInvalid } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { apiToken } from "../../provider/resources/token/api-token";
import { GROUP_MISSING, SCOPES_MISSING } from "../../provider/resources/token/messages";

const failuresOf = (resource: AnyResource, news: Properties, organizationSlug = "acme") =>
  check(resource, {
    news,
    olds: {},
    account: organizationSlug,
    propose: nameProposer({ logicalName: "x", randomSeed: new Uint8Array(32) }),
  }).failures.map(({ property, reason }) => `${property}: ${reason}`);

const DB_ID = "0a28102d-6906-11ee-8553-eaa7715aeaf2";

const LARGEST_SIZE = 2n ** 63n - 1n;
const UNITS = "b k kb ki kib m mb mi mib g gb gi gib t tb ti tib".split(" ");

const configured = (more: Properties) => failuresOf(databaseConfiguration, { database: DB_ID, ...more });
const scoped = { group: "default", scopes: ["read"] };

const slugOf = (length: number) => "a".repeat(length);
const named = (length: number) => [database, { name: "x", group: "g" }, slugOf(length)] as const;
const unnamed = (length: number) => [database, { group: "g" }, slugOf(length)] as const;

test.each<[string, string[], string]>([
  ["a name with an uppercase letter", failuresOf(database, { name: "Orders", group: "g" }), `name: ${INVALID_NAME}`],
  [
    "a name that ends with a hyphen",
    failuresOf(database, { name: "a-", group: "g" }),
    `name: ${NAME_WITH_OUTER_HYPHEN}`,
  ],
  [
    "a name that is too long for a host name",
    failuresOf(group, { name: "a".repeat(59), location: "ams" }),
    `name: ${longNameInOrganization({ slug: "acme", longest: 58 })}`,
  ],
  [
    "any name in an organization whose slug leaves no room",
    failuresOf(...named(62)),
    `name: ${noRoomForNames({ slug: slugOf(62) })}`,
  ],
  [
    "any name in an organization with a longer slug",
    failuresOf(...named(70)),
    `name: ${noRoomForNames({ slug: slugOf(70) })}`,
  ],
  ["a generated name without room", failuresOf(...unnamed(63)), `name: ${noRoomForNames({ slug: slugOf(63) })}`],
  [
    "a generated name with little room",
    failuresOf(...unnamed(54)),
    `name: ${noRoomToGenerate({ shortest: 9, longest: 8, within: "organization" })}`,
  ],
  ["a group that is neither name nor UUID", failuresOf(database, { group: "My Group" }), `group: ${INVALID_NAME}`],
  ["a missing required argument", failuresOf(database, {}), "group: is required"],
  ["an argument of the wrong type", failuresOf(database, { group: 7 }), "group: must be a string, not a number"],
  [
    "an unknown argument",
    failuresOf(database, { group: "g", nmae: "x" }),
    unknownArgument({ owner: "Database", argument: "nmae", known: ["name", "group"] }),
  ],
  [
    "an invalid location code",
    failuresOf(group, { location: "AWS US" }),
    `location: ${invalidLocationCode({ text: "AWS US" })}`,
  ],
  [
    "an invalid location among others",
    failuresOf(group, { location: "ams", locations: ["lhr", "X"] }),
    `locations[1]: ${invalidLocationCode({ text: "X" })}`,
  ],
  [
    "a database name instead of its DbId",
    configured({ database: "orders" }),
    `database: ${dbIdInvalid({ text: "orders" })}`,
  ],
  [
    "a size without a number",
    configured({ sizeLimit: "big" }),
    `sizeLimit: ${invalidSize({ text: "big", largestSize: LARGEST_SIZE, units: UNITS })}`,
  ],
  [
    "a negative size",
    configured({ sizeLimit: "-1" }),
    `sizeLimit: ${invalidSize({ text: "-1", largestSize: LARGEST_SIZE, units: UNITS })}`,
  ],
  [
    "a size beyond 64 bits",
    configured({ sizeLimit: "8388608tib" }),
    `sizeLimit: ${invalidSize({ text: "8388608tib", largestSize: LARGEST_SIZE, units: UNITS })}`,
  ],
  [
    "a size with spaces around it",
    configured({ sizeLimit: " 1gb" }),
    `sizeLimit: ${invalidSize({ text: " 1gb", largestSize: LARGEST_SIZE, units: UNITS })}`,
  ],
  [
    "an invalid address",
    configured({ allowedIps: ["10.0.0.1", "10.0.0.256"] }),
    `allowedIps[1]: ${invalidAddress({ text: "10.0.0.256" })}`,
  ],
  [
    "an invalid prefix length",
    configured({ allowedIps: ["10.0.0.0/33"] }),
    `allowedIps[0]: ${invalidAddress({ text: "10.0.0.0/33" })}`,
  ],
  [
    "an invalid IPv6 block",
    configured({ allowedIps: ["2001:db8::/129"] }),
    `allowedIps[0]: ${invalidAddress({ text: "2001:db8::/129" })}`,
  ],
  [
    "an invalid VPC endpoint",
    configured({ allowedAwsVpcIds: ["vpc-1"] }),
    `allowedAwsVpcIds[0]: ${invalidVpcEndpoint({ text: "vpc-1" })}`,
  ],
  [
    "an unknown scope",
    failuresOf(apiToken, { ...scoped, scopes: ["read", "write"] }),
    `scopes[1]: ${invalidScope({ text: "write", scopes: SCOPES, presets: Object.keys(PRESETS) })}`,
  ],
  ["an empty list of scopes", failuresOf(apiToken, { ...scoped, scopes: [] }), `scopes: ${SCOPES_MISSING}`],
  ["a group without scopes", failuresOf(apiToken, { group: "g" }), `scopes: ${SCOPES_MISSING}`],
  ["scopes without a group", failuresOf(apiToken, { scopes: ["read"] }), `group: ${GROUP_MISSING}`],
  ["a name that would change the request path", failuresOf(apiToken, { name: "../x" }), `name: ${INVALID_TOKEN_NAME}`],
])("rejects %s, citing the property and the rule", (_, failures, expected) => {
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(expected);
});

test.each([
  ["an empty size limit", configured({ sizeLimit: "" })],
  ["a size in any unit", configured({ sizeLimit: "256mb" })],
  [
    "IPv4 and IPv6 addresses and blocks",
    configured({ allowedIps: ["203.0.113.7", "2001:db8::1", "10.0.0.0/8", "::/0"] }),
  ],
  ["presets", failuresOf(apiToken, { ...scoped, scopes: ["read-only", "db:create"] })],
  ["a group given by its UUID in uppercase", failuresOf(database, { group: "0A28102D-6906-11EE-8553-EAA7715AEAF2" })],
  ["an unknown location", failuresOf(group, { location: "moon-base-1" })],
  ["unknown values in any place", configured({ allowedIps: ["10.0.0.1", UNKNOWN], sizeLimit: UNKNOWN })],
  ["an unknown value in a rule about several arguments", failuresOf(apiToken, { group: UNKNOWN })],
])("accepts %s", (_, failures) => {
  expect(failures).toEqual([]);
});
