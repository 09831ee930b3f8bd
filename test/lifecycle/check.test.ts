import { expect, test } from "vitest";
import { check } from "../../provider/lifecycle/check";
import { unknownArgument } from "../../provider/lifecycle/inputs/messages";
import { proposer } from "../../provider/lifecycle/naming";
import { type Properties, UNKNOWN } from "../../provider/lifecycle/properties";
import type { AnyResource } from "../../provider/resource/definition";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { dbIdInvalid } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { apiToken } from "../../provider/resources/token/api-token";
import { GROUP_MISSING, SCOPES_EMPTY, SCOPES_MISSING } from "../../provider/resources/token/messages";

const failuresOf = (resource: AnyResource, news: Properties) =>
  check(resource, {
    news,
    olds: {},
    organizationSlug: "acme",
    propose: proposer({ logicalName: "x", randomSeed: new Uint8Array(32) }),
  }).failures.map(({ property, reason }) => `${property}: ${reason}`);

const DB_ID = "0a28102d-6906-11ee-8553-eaa7715aeaf2";

const configured = (more: Properties) => failuresOf(databaseConfiguration, { database: DB_ID, ...more });
const scoped = { group: "default", scopes: ["read"] };

// Promise: Failures and interruptions
// Promise: The reference API
test.each<[string, string[], string]>([
  ["a name with a capital", failuresOf(database, { name: "Orders", group: "g" }), "name: a name can only contain"],
  [
    "a name that ends with a hyphen",
    failuresOf(database, { name: "a-", group: "g" }),
    "name: a name cannot start or end",
  ],
  [
    "a name that is too long for a host name",
    failuresOf(group, { name: "a".repeat(59), location: "ams" }),
    "name: in organization",
  ],
  [
    "a group that is neither name nor UUID",
    failuresOf(database, { group: "My Group" }),
    "group: a name can only contain",
  ],
  ["a missing required argument", failuresOf(database, {}), "group: is required"],
  ["an argument of another type", failuresOf(database, { group: 7 }), "group: must be a string, not a number"],
  [
    "an unknown argument",
    failuresOf(database, { group: "g", nmae: "x" }),
    unknownArgument("Database", "nmae", ["name", "group"]),
  ],
  ["an invalid location code", failuresOf(group, { location: "AWS US" }), 'location: "AWS US" is no location code'],
  [
    "an invalid location among others",
    failuresOf(group, { location: "ams", locations: ["lhr", "X"] }),
    'locations[1]: "X" is no location',
  ],
  ["a database name instead of its DbId", configured({ database: "orders" }), `database: ${dbIdInvalid("orders")}`],
  ["a size without a number", configured({ sizeLimit: "big" }), 'sizeLimit: "big" is not a size'],
  ["a negative size", configured({ sizeLimit: "-1" }), 'sizeLimit: "-1" is not a size'],
  ["a size beyond 64 bits", configured({ sizeLimit: "8388608tib" }), "at most 9223372036854775807 bytes"],
  ["a size with spaces around it", configured({ sizeLimit: " 1gb" }), "Units, in any case: b, k, kb, ki, kib,"],
  [
    "an invalid address",
    configured({ allowedIps: ["10.0.0.1", "10.0.0.256"] }),
    'allowedIps[1]: "10.0.0.256" is neither',
  ],
  ["an invalid prefix length", configured({ allowedIps: ["10.0.0.0/33"] }), 'allowedIps[0]: "10.0.0.0/33" is neither'],
  [
    "an invalid IPv6 block",
    configured({ allowedIps: ["2001:db8::/129"] }),
    'allowedIps[0]: "2001:db8::/129" is neither',
  ],
  [
    "an invalid VPC endpoint",
    configured({ allowedAwsVpcIds: ["vpc-1"] }),
    'allowedAwsVpcIds[0]: "vpc-1" is no AWS VPC endpoint id',
  ],
  [
    "an unknown scope",
    failuresOf(apiToken, { ...scoped, scopes: ["read", "write"] }),
    'scopes[1]: "write" is neither a scope',
  ],
  ["no scope at all", failuresOf(apiToken, { ...scoped, scopes: [] }), `scopes: ${SCOPES_EMPTY}`],
  ["a group without scopes", failuresOf(apiToken, { group: "g" }), `scopes: ${SCOPES_MISSING}`],
  ["scopes without a group", failuresOf(apiToken, { scopes: ["read"] }), `group: ${GROUP_MISSING}`],
  [
    "a name that would change a path",
    failuresOf(apiToken, { name: "../x" }),
    "name: a token's name is part of an address",
  ],
])("rejects %s with an error that names the property and the rule", (_, failures, expected) => {
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(expected);
});

test.each([
  ["the empty size, which is no limit", configured({ sizeLimit: "" })],
  ["a size in any unit", configured({ sizeLimit: "256mb" })],
  ["IPv4, IPv6 and blocks of both", configured({ allowedIps: ["203.0.113.7", "2001:db8::1", "10.0.0.0/8", "::/0"] })],
  ["presets", failuresOf(apiToken, { ...scoped, scopes: ["read-only", "db:create"] })],
  ["a group by its UUID in capitals", failuresOf(database, { group: "0A28102D-6906-11EE-8553-EAA7715AEAF2" })],
  ["an unknown location", failuresOf(group, { location: "moon-base-1" })],
  [
    "values that are not known yet, in any place",
    configured({ allowedIps: ["10.0.0.1", UNKNOWN], sizeLimit: UNKNOWN }),
  ],
  ["an unknown argument in a rule over several arguments", failuresOf(apiToken, { group: UNKNOWN })],
])("accepts %s", (_, failures) => {
  expect(failures).toEqual([]);
});
