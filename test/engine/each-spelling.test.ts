// @module-tag more
// @module-tag no-false-differences

import type { CustomResource, CustomResourceOptions } from "@pulumi/pulumi";
import fc from "fast-check";
import * as dbplatform from "pulumi-dbplatform";
import { describe, expect, test } from "vitest";
import { full } from "../full";
import type { Meaning } from "../spellings/meaning";
import { properties } from "../spellings/properties";
import { uuidSpellings } from "../spellings/values";
import { engineFixture } from "./engine-fixture";

interface Ids {
  readonly groups: readonly [string, string];
  readonly databases: readonly string[];
}

interface Tried {
  /** Returns pairs of values with different meanings. Each value is given as a list of its equivalent spellings. */
  readonly meant: (ids: Ids) => readonly (readonly [readonly unknown[], readonly unknown[]])[];
  readonly declare: (name: string, value: never, options: CustomResourceOptions, ids: Ids) => CustomResource;
  /** Whether the platform returns the property, so that an import can compare it. */
  readonly imported: boolean;
}

const spellings = ({ spellings: written }: Meaning) => written;

/** Returns all hand-written values of a property, and some generated values. */
function corpus(type: string, property: string, samples = 3) {
  const found = properties.find((one) => one.resource.type === type && one.property === property);
  if (!found) throw new Error(`${type} has no ${property}`);
  const byHand = found.meanings.map(
    (meaning, at) => [meaning, found.meanings[(at + 1) % found.meanings.length] ?? meaning] as const,
  );
  const generated = fc.sample(found.generated, samples);
  return () => [...byHand, ...generated].map(([one, other]) => [spellings(one), spellings(other)] as const);
}

const eitherGroup = ({ groups: [one, other] }: Ids) =>
  [
    [[...uuidSpellings(one), "default"], [other]],
    [[...uuidSpellings(other), "other"], [one]],
  ] as const;

const eachDatabase = ({ databases }: Ids) =>
  databases.map((dbId, at) => [uuidSpellings(dbId), [databases[(at + 1) % databases.length]]] as const);

const configuration = (property: string): Tried => ({
  meant: corpus("DatabaseConfiguration", property),
  declare: (name, value, options, { databases }) => {
    const database = databases[Number(name.slice(1))] ?? "";
    return new dbplatform.DatabaseConfiguration(name, { database, [property]: value }, options);
  },
  imported: true,
});

const ofDatabaseToken = (property: string, beside: object = {}): Tried => ({
  meant: corpus("DatabaseToken", property, 0),
  declare: (name, value, options, { databases: [database = ""] }) =>
    new dbplatform.DatabaseToken(name, { database, ...beside, [property]: value }, options),
  imported: false,
});

const aws = [
  ["aws-eu-west-1", "aws-us-west-2"],
  ["aws-us-west-2", "aws-eu-west-1", "aws-us-west-2", "aws-us-east-1"],
];

const TRIED: Readonly<Record<string, Tried>> = {
  "locations of groups": {
    meant: () => [
      [aws, [[]]],
      [[[], null], [["aws-eu-west-1"]]],
    ],
    declare: (name, locations, options) =>
      new dbplatform.Group(name, { name, location: "aws-us-east-1", locations }, options),
    imported: true,
  },
  "protection of groups": {
    meant: corpus("Group", "deleteProtection", 0),
    declare: (name, deleteProtection, options) =>
      new dbplatform.Group(name, { name, location: "aws-us-east-1", deleteProtection }, options),
    imported: true,
  },
  "`forceDestroy` of groups": {
    meant: corpus("Group", "forceDestroy", 0),
    declare: (name, forceDestroy, options) =>
      new dbplatform.Group(name, { name, location: "aws-us-east-1", forceDestroy }, options),
    imported: false,
  },
  "groups of databases": {
    meant: eitherGroup,
    declare: (name, group, options) => new dbplatform.Database(name, { name, group }, options),
    imported: true,
  },
  "databases of configurations": {
    meant: eachDatabase,
    declare: (name, database, options) =>
      new dbplatform.DatabaseConfiguration(name, { database, blockReads: true }, options),
    imported: true,
  },
  sizes: configuration("sizeLimit"),
  switches: configuration("blockWrites"),
  addresses: configuration("allowedIps"),
  "VPC endpoints": configuration("allowedAwsVpcIds"),
  "groups of API tokens": {
    meant: eitherGroup,
    declare: (name, group, options) => new dbplatform.ApiToken(name, { name, group, scopes: ["read"] }, options),
    imported: true,
  },
  scopes: {
    meant: corpus("ApiToken", "scopes"),
    declare: (name, scopes, options) => new dbplatform.ApiToken(name, { name, group: "default", scopes }, options),
    imported: true,
  },
  "keepers of API tokens": {
    meant: corpus("ApiToken", "keepers"),
    declare: (name, keepers, options) => new dbplatform.ApiToken(name, { name, keepers }, options),
    imported: false,
  },
  "databases of tokens": {
    meant: eachDatabase,
    declare: (name, database, options) => new dbplatform.DatabaseToken(name, { database }, options),
    imported: false,
  },
  expirations: ofDatabaseToken("expiration"),
  authorizations: ofDatabaseToken("authorization"),
  "`renewBefore`": ofDatabaseToken("renewBefore", { expiration: "500d" }),
  "keepers of SQL-engine tokens": ofDatabaseToken("keepers"),
  "groups of tokens": {
    meant: eitherGroup,
    declare: (name, group, options) => new dbplatform.GroupToken(name, { group }, options),
    imported: false,
  },
  "databases of rotations": {
    meant: eachDatabase,
    declare: (name, database, options) => new dbplatform.SigningKeyRotation(name, { database }, options),
    imported: true,
  },
  triggers: {
    meant: corpus("SigningKeyRotation", "triggers"),
    declare: (name, triggers, options, { databases }) =>
      new dbplatform.SigningKeyRotation(name, { database: databases[Number(name.slice(1))] ?? "", triggers }, options),
    imported: false,
  },
};

const MOST = 16;

describe.skipIf(!full)("the engine reports a difference only between values that are not semantically equal", () => {
  test.each(Object.entries(TRIED))("for %s", async (_, { meant, declare, imported }) => {
    const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
    const { groups } = await here.outside.listGroups({ organizationSlug: "acme" });
    const uuidOf = (name: string) => groups.find((group) => group.name === name)?.uuid ?? "";
    const databases: string[] = [];
    for (let at = 0; at < MOST; at++) databases.push(await here.database(`d-${at}`));
    const ids: Ids = { groups: [uuidOf("default"), uuidOf("other")], databases };
    const all = meant(ids).slice(0, MOST);

    let turn = 0;
    const spelled = (written: readonly unknown[]) => (written[turn % written.length] ?? undefined) as never;
    const program =
      (pick: (pair: (typeof all)[number]) => readonly unknown[], imports: Readonly<Record<string, string>> = {}) =>
      async () => {
        const resources = all.map((pair, at) => {
          const name = `r${at}`;
          return declare(name, spelled(pick(pair)), imports[name] === undefined ? {} : { import: imports[name] }, ids);
        });
        return Object.fromEntries(resources.map(({ id }, at) => [`r${at}`, id]));
      };
    const stack = await here.stack(program(([written]) => written));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const made = (await stack.outputs()) as Record<string, string>;
    here.writes();
    expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
    expect(await stack.refresh({ expectNoChanges: true })).toMatchObject({ code: 0 });
    turn = 1;
    expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });

    stack.program = program(([, other]) => other);
    const changed = await stack.preview();
    expect(changed).toMatchObject({ code: 0 });
    const counts = [...changed.output.matchAll(/(\d+) to (?:update|replace)/g)].map(([, count]) => Number(count));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length);

    if (!imported) return;
    turn = 2;
    const another = await here.stack(program(([written]) => written, made));
    expect(await another.up()).toMatchObject({ code: 0 });
    expect(await another.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
    expect(here.writes()).toEqual([]);
  });
});
