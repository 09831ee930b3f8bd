import fc from "fast-check";
import type { AnyResource } from "../../kit/definition";
import type { Properties } from "../../kit/lifecycle/properties";
import { CIPHERS, type Cipher, keyLengthOf } from "../../platform/values/cipher";
import { PRESETS, SCOPES } from "../../platform/values/scope";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { group } from "../../provider/resources/group/group";
import { databaseMigrations } from "../../provider/resources/migrations/database-migrations";
import { invite } from "../../provider/resources/organization/invite";
import { member } from "../../provider/resources/organization/member";
import { organizationSettings } from "../../provider/resources/organization/organization-settings";
import { apiToken } from "../../provider/resources/token/api-token";
import { databaseToken } from "../../provider/resources/token/database-token";
import { groupToken } from "../../provider/resources/token/group-token";
import { signingKeyRotation } from "../../provider/resources/token/signing-key-rotation";
import { flagSettings } from "../configuration-flags";
import { type Meaning, ours, type Property, shownAs, twoOf } from "./meaning";
import {
  block,
  blockSpellings,
  bytes,
  duration,
  durationSpellings,
  keyOf,
  name,
  type Size,
  several,
  sizeSpellings,
  uuidSpellings,
} from "./values";

const UUID = "0a28102d-6906-11ee-8553-eaa7715aeaf2";
const OTHER_UUID = "5c9d6c52-3c3f-4a0f-8e6f-2b1f0f5a7d10";

const asText = (
  property: string,
  source: string,
  beside: Properties,
  texts: readonly string[],
  text: fc.Arbitrary<string>,
) => ({
  property,
  source,
  beside,
  meanings: texts.map((one) => shownAs(property, [one])),
  generated: twoOf(
    text,
    (one) => one,
    (one) => fc.constant(shownAs(property, [one])),
  ),
});

const names = (beside: Properties) =>
  asText("name", "wire-facts 10", beside, ["orders", "orders-2", "0", "o--rders"], name);

const switches = (
  property: string,
  beside: Properties,
  meant: (property: string, spellings: readonly unknown[], byItself: unknown) => Meaning = shownAs,
) => {
  const meanings = [meant(property, [true], false), meant(property, [false, undefined, null], false)] as const;
  const source = "§2.2, wire-facts 3.5 (false where nothing was set)";
  return {
    property,
    source,
    beside,
    meanings,
    generated: fc.constantFrom(meanings, [meanings[1], meanings[0]] as const),
  };
};

/** Returns test data for a property that only the provider uses, of which one value is the default. */
const settings = (property: string, beside: Properties, [byItself, other]: readonly [unknown, unknown]) => {
  const meanings = [ours([byItself, undefined, null]), ours([other])] as const;
  return { property, source: "ours alone", beside, meanings, generated: fc.constant(meanings) };
};

/** Returns test data for a boolean property without a default. The property is not managed if the program omits it. */
const unmanagedSwitches = (property: string) => {
  const meanings = [shownAs(property, [true]), shownAs(property, [false])] as const;
  const source = "wire-facts 1.3";
  return { property, source, beside: {}, meanings, generated: fc.constant(meanings) };
};

const inGroup = (uuid: string, groupName: string): Meaning => ({
  spellings: [...uuidSpellings(uuid), groupName],
  observed: [{ group: uuid, groupId: uuid, groupName }],
});

/** Returns test data for the property `group`, which is a group's name, or its UUID in any spelling. */
const groups = (beside: Properties) => ({
  property: "group",
  source: "§2.3, wire-facts 2.1 (paths name groups, records also by UUID)",
  beside,
  meanings: [inGroup(UUID, "default"), inGroup(OTHER_UUID, "other")],
  generated: twoOf(
    fc.record({ uuid: fc.uuid(), groupName: name }),
    ({ uuid }) => uuid,
    ({ uuid, groupName }) => fc.constant(inGroup(uuid, groupName)),
  ).filter(([one, other]) => one.observed[0]?.groupName !== other.observed[0]?.groupName),
});

const isDatabase = (uuid: string): Meaning => ({ spellings: uuidSpellings(uuid), observed: [{ database: uuid }] });

const databases = (beside: Properties) => ({
  property: "database",
  source: "§2.1 (a DbId is a UUID)",
  beside,
  meanings: [isDatabase(UUID), isDatabase(OTHER_UUID)],
  generated: twoOf(
    fc.uuid(),
    (uuid) => uuid,
    (uuid) => fc.constant(isDatabase(uuid)),
  ),
});

interface Member {
  readonly key: string;
  readonly spellings: readonly string[];
}

interface Sets {
  readonly property: string;
  readonly source: string;
  readonly beside: Properties;
  readonly remembered?: Properties;
  readonly members: fc.Arbitrary<readonly Member[]>;
  readonly written: readonly (readonly (readonly string[])[])[];
}

/** Returns test data for a set property: order and duplicates do not matter, and the default is the empty set. */
function sets({ members, written, ...about }: Sets) {
  const { property } = about;
  const empty = shownAs(property, [[], undefined, null], []);
  const meant = (set: readonly Member[]): fc.Arbitrary<Meaning> => {
    const spelling = several(set.map(({ spellings }) => spellings));
    return set.length === 0
      ? fc.constant(empty)
      : fc.array(spelling, { minLength: 3, maxLength: 3 }).map((spellings) => shownAs(property, spellings));
  };
  const keyOfSet = (set: readonly Member[]) =>
    set
      .map(({ key }) => key)
      .sort()
      .join();
  return {
    ...about,
    meanings: [empty, ...written.map((spellings) => shownAs(property, spellings))],
    generated: twoOf(members, keyOfSet, meant),
  };
}

const texts = (text: fc.Arbitrary<string>): fc.Arbitrary<Member[]> =>
  fc.uniqueArray(text, { maxLength: 5 }).map((keys) => keys.map((key) => ({ key, spellings: [key] })));

const blocks: fc.Arbitrary<Member[]> = fc
  .uniqueArray(block, { maxLength: 4, selector: keyOf })
  .chain((all) =>
    fc.tuple(...all.map((one) => blockSpellings(one).map((spellings) => ({ key: keyOf(one), spellings })))),
  );

const sizeMeant = (spellings: readonly Size[]): Meaning =>
  shownAs(
    "sizeLimit",
    spellings.map(({ text }) => text),
  );

const UNLIMITED = shownAs("sizeLimit", ["", undefined, null], "");

const size = bytes.map(sizeSpellings);

const readingsOf = (spellings: readonly Size[]) => spellings.flatMap(({ readings }) => readings);

/** Returns test data for a property whose value is a size. An ambiguous size is equivalent to both of its readings. */
const sizes = (beside: Properties) => ({
  property: "sizeLimit",
  source: "§2.2, wire-facts 10 and 3.5 (empty or absent: no limit)",
  beside,
  meanings: [
    UNLIMITED,
    shownAs("sizeLimit", ["256mb", "256MB", "256 mb", "256m", "256MiB", "268435456", "262144kib", "0.25gib"]),
    shownAs("sizeLimit", ["1.234567mb", "1234567", "1234567 B"]),
    shownAs("sizeLimit", ["3gb", "3 GB", "3G", "3000000000", "3000mb"]),
    shownAs("sizeLimit", ["5gib", "5GIB", "5368709120b", "5120mib"]),
  ],
  generated: fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(size, size)
        .filter(([one, other]) => !readingsOf(one).some((reading) => readingsOf(other).includes(reading)))
        .map(([one, other]) => [sizeMeant(one), sizeMeant(other)] as const),
    },
    size.map((spellings) => [UNLIMITED, sizeMeant(spellings)] as const),
  ),
});

const code = fc.stringMatching(/^[a-z]{2,4}(-[a-z]{2,6}-[1-9])?$/);

/** Generates the spellings of a set of scopes. A preset is equivalent to the scopes that it stands for. */
function scopesMeant(scopes: readonly string[]): fc.Arbitrary<Meaning> {
  const spelling = several(scopes.map((scope) => [scope]));
  const presets = Object.entries(PRESETS).filter(
    ([, stands]) => stands.length === scopes.length && stands.every((scope) => scopes.includes(scope)),
  );
  const within = Object.entries(PRESETS).filter(([, stands]) => stands.every((scope) => scopes.includes(scope)));
  return fc.tuple(spelling, spelling).map(([one, other]) => ({
    spellings: [one, other, ...presets.map(([preset]) => [preset]), ...within.map(([preset]) => [...one, preset])],
    // The platform returns individual scopes instead of presets (§5 rule 6).
    observed: [{ scopes: [...scopes].sort() }],
  }));
}

const map = fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.string({ maxLength: 4 }), {
  maxKeys: 4,
  noNullPrototype: true,
});

const MAPS: readonly Readonly<Record<string, string>>[] = [
  {},
  { a: "1" },
  { a: "2" },
  { b: "1" },
  { a: "1", b: "1" },
  { a: "" },
];

const keyOfMap = (one: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(one).sort());

const mapMeant = (one: Readonly<Record<string, string>>): Meaning => {
  const entries = Object.entries(one);
  if (entries.length === 0) return ours([{}, undefined, null]);
  return ours([one, Object.fromEntries([...entries].reverse())]);
};

/** Returns test data for a map that the platform does not store. An empty map is equivalent to an omitted map. */
const maps = (property: string, beside: Properties) => ({
  property,
  source: "ours alone",
  beside,
  meanings: MAPS.map(mapMeant),
  generated: twoOf(map, keyOfMap, (one) => fc.constant(mapMeant(one))),
});

const NEVER = shownAs("expiration", ["never", undefined, null], "never");

const expirations = (beside: Properties) => ({
  property: "expiration",
  source: "wire-facts 2.3",
  beside,
  meanings: [
    NEVER,
    shownAs("expiration", ["1w", "7d", "168h", "6d24h", "10080m", "604800s"]),
    shownAs("expiration", ["2w1d30m", "15d30m", "30m1d2w"]),
    shownAs("expiration", ["1.1h", "66m", "1h6m"]),
    shownAs("expiration", ["66m1s"]),
  ],
  generated: fc.oneof(
    {
      weight: 9,
      arbitrary: twoOf(duration, String, (ms) => fc.constant(shownAs("expiration", durationSpellings(ms)))),
    },
    duration.map((ms) => [NEVER, shownAs("expiration", durationSpellings(ms))] as const),
  ),
});

const renewals = (beside: Properties) => ({
  property: "renewBefore",
  source: "wire-facts 2.3 (the same durations)",
  beside: { ...beside, expiration: "500d" },
  remembered: { expiration: "500d" },
  meanings: [ours([undefined, null]), ours(["1w", "7d"]), ours(["1.1h", "66m"]), ours(["8d"])],
  generated: twoOf(duration, String, (ms) => fc.constant(ours(durationSpellings(ms)))),
});

const authorizations = (beside: Properties) => {
  const meanings = [
    shownAs("authorization", ["full-access", undefined, null], "full-access"),
    shownAs("authorization", ["read-only"]),
  ] as const;
  return { property: "authorization", source: "wire-facts 2.3", beside, meanings, generated: fc.constant(meanings) };
};

function encryptedWith(cipher: Cipher): Meaning {
  const key = Buffer.alloc(keyLengthOf(cipher), 7).toString("base64");
  return {
    spellings: [key, key.replace(/=+$/, "")].map((spelling) => ({ cipher, key: spelling })),
    observed: [{ encryptionCipher: cipher }],
  };
}

const ROLES = ["admin", "member", "viewer"];

const roles = (beside: Properties) => asText("role", "wire-facts 1.6", beside, ROLES, fc.constantFrom(...ROLES));

const emailMeant = (email: string): Meaning =>
  shownAs("email", [email, email.toUpperCase(), email.charAt(0).toUpperCase() + email.slice(1)]);

const emails = (beside: Properties) => ({
  property: "email",
  source: "ours alone (the platform may store addresses in lower case)",
  beside,
  meanings: ["lea@acme.example", "lea+a@acme.example", "lea@acme.test"].map(emailMeant),
  generated: twoOf(
    fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.example$/),
    (email) => email,
    (email) => fc.constant(emailMeant(email)),
  ),
});

const of = (resource: AnyResource, ...all: readonly Omit<Property, "resource">[]): Property[] =>
  all.map((one) => ({ resource, ...one }));

const ofDatabase = { database: UUID };
const ofGroup = { group: "default" };
const inDefault = { group: UUID, groupId: UUID, groupName: "default" };
const ofFolder = { folder: "test/laws/migrations/one" };
const ofDatabaseAndFolder = { ...ofDatabase, ...ofFolder };
const inAms = { location: "ams" };

/** The properties for which tests compare values in a program with values on the platform. */
export const properties: readonly Property[] = [
  ...of(
    group,
    names(inAms),
    asText("location", "§2.5 (codes are opaque)", {}, ["ams", "aws-us-east-1", "aws-us-east-2"], code),
    sets({
      property: "locations",
      source: "§2.3, wire-facts 2.1",
      beside: inAms,
      remembered: inAms,
      members: texts(code.filter((one) => one !== "ams")),
      written: [
        [["lhr"], ["lhr", "lhr"], ["ams", "lhr"]],
        [
          ["lhr", "aws-eu-west-1"],
          ["aws-eu-west-1", "lhr"],
          ["aws-eu-west-1", "ams", "lhr"],
        ],
        [["aws-eu-west-1"]],
      ],
    }),
    switches("deleteProtection", inAms),
    switches("forceDestroy", inAms, (_, spellings) => ours(spellings)),
  ),
  ...of(database, names(ofGroup), groups({}), {
    property: "encryption",
    source: "wire-facts 3.3 (base64, with or without padding; records show only the cipher)",
    beside: ofGroup,
    remembered: inDefault,
    meanings: CIPHERS.map(encryptedWith),
    generated: twoOf(fc.constantFrom(...CIPHERS), String, (cipher) => fc.constant(encryptedWith(cipher))),
  }),
  ...of(
    database,
    switches("keepData", ofGroup, (_, spellings) => ours(spellings)),
  ),
  ...of(
    databaseConfiguration,
    databases({}),
    sizes(ofDatabase),
    ...Object.keys(flagSettings(false)).map((property) => switches(property, ofDatabase)),
    sets({
      property: "allowedIps",
      source: "§2.2, wire-facts 3.5",
      beside: ofDatabase,
      members: blocks,
      written: [
        [["10.0.0.0/8"], ["10.1.2.3/8"], ["10.0.0.0/8", "10.255.255.255/8"]],
        [["10.0.0.0/9"]],
        [["203.0.113.7"], ["203.0.113.7/32"], ["203.0.113.7", "203.0.113.7/32"]],
        [["203.0.113.7/31"], ["203.0.113.6/31"]],
        [["2001:db8::1"], ["2001:DB8:0:0:0:0:0:1"], ["2001:0db8::0001/128"], ["2001:db8::0.0.0.1"]],
        [["2001:db8::/32"], ["2001:db8:ffff::1/32"]],
        [["::/0"], ["ffff::/0"]],
        [["0.0.0.0/0"], ["255.255.255.255/0"]],
        // An IPv4 address embedded in IPv6 counts as an IPv6 address.
        [["::ffff:203.0.113.7"], ["::ffff:cb00:7107"]],
        [
          ["10.0.0.0/8", "2001:db8::/32"],
          ["2001:db8::/32", "10.9.9.9/8", "10.0.0.0/8"],
        ],
      ],
    }),
    sets({
      property: "allowedAwsVpcIds",
      source: "§2.2",
      beside: ofDatabase,
      members: texts(fc.stringMatching(/^vpce-[0-9a-f]{1,17}$/)),
      written: [
        [["vpce-1"], ["vpce-1", "vpce-1"]],
        [
          ["vpce-1", "vpce-2"],
          ["vpce-2", "vpce-1"],
        ],
        [["vpce-01"]],
      ],
    }),
  ),
  ...of(
    databaseMigrations,
    databases(ofFolder),
    groups(ofFolder),
    settings("outOfOrder", ofDatabaseAndFolder, [false, true]),
    settings("parallel", ofDatabaseAndFolder, [8, 2]),
    settings("onFailure", ofDatabaseAndFolder, ["stop", "continue"]),
    settings("rehearse", ofDatabaseAndFolder, [false, true]),
  ),
  ...of(
    apiToken,
    asText(
      "name",
      "wire-facts 10",
      {},
      ["ci", "CI", "c i", "ci "],
      fc.oneof(name, fc.stringMatching(/^[\w .:-]{3,9}$/)),
    ),
    groups({ scopes: ["read"] }),
    {
      property: "scopes",
      source: "§5 rule 6",
      beside: ofGroup,
      remembered: inDefault,
      meanings: [
        {
          spellings: [["read"], ["read-only"], ["read-only", "read"], ["read", "read"]],
          observed: [{ scopes: ["read"] }],
        },
        {
          spellings: [["full-access"], SCOPES, [...SCOPES].reverse(), ["read-only", "full-access"]],
          observed: [{ scopes: [...SCOPES].sort() }],
        },
        {
          spellings: [
            ["read", "db:create"],
            ["db:create", "read-only"],
          ],
          observed: [{ scopes: ["db:create", "read"] }],
        },
      ],
      generated: twoOf(fc.subarray([...SCOPES], { minLength: 1 }), (scopes) => scopes.join(), scopesMeant),
    },
    maps("keepers", {}),
  ),
  ...of(
    databaseToken,
    databases({}),
    expirations(ofDatabase),
    authorizations(ofDatabase),
    renewals(ofDatabase),
    maps("keepers", ofDatabase),
  ),
  ...of(
    groupToken,
    groups({}),
    expirations(ofGroup),
    authorizations(ofGroup),
    renewals(ofGroup),
    maps("keepers", ofGroup),
  ),
  ...of(signingKeyRotation, databases({}), groups({}), maps("triggers", ofDatabase)),
  ...of(
    member,
    asText("username", "wire-facts 1.5", { role: "viewer" }, ["ada", "Ada", "ada-2"], name),
    roles({ username: "ada" }),
  ),
  ...of(invite, emails({ role: "viewer" }), roles({ email: "lea@acme.example" })),
  ...of(organizationSettings, ...["overages", "requireMfa", "restoreEnabled"].map(unmanagedSwitches)),
];
