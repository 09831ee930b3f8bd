import { message } from "../../message";

/** Describes the type that an argument must have, and how a program writes a value of that type. */
export interface Form {
  readonly name: string;
  readonly written: string;
}

export const ANY_OBJECT = "an object";

/** Descriptions of the argument types for error messages, by zod's name for the type. */
export const FORMS = {
  string: { name: "a string", written: "write it in quotation marks" },
  boolean: { name: "a boolean", written: "write true or false" },
  number: { name: "a number", written: "write it without quotation marks" },
  int: { name: "a whole number", written: "write it without quotation marks or decimals" },
  array: { name: "a list", written: 'write it as ["…", "…"]' },
  record: { name: ANY_OBJECT, written: 'write it as { key: "value" }' },
} satisfies Record<string, Form>;

/** Explains how to write an object, using its first property as the example. */
export const objectForm = message(
  (firstProperty: string): string => `write it as { ${firstProperty}: … }`,
  ["database"],
);

export const REQUIRED = "is required";

export const wrongForm = message(
  ({ name, written }: Form, given: string) => `must be ${name}, not ${given}: ${written}`,
  [{ name: "a boolean", written: "write true or false" }, "a string"],
);

export const OTHER_STRING = "another string";

export const wrongValue = message(
  (allowed: readonly unknown[], given: string) =>
    `must be ${allowed.map((value) => JSON.stringify(value)).join(" or ")}, not ${given}`,
  [["full-access", "read-only"], OTHER_STRING],
);

const propertiesAre = (properties: readonly string[]): string =>
  properties.length === 0 ? "it has no properties" : `its properties are ${properties.join(", ")}`;

/** Reports unknown properties inside an argument. */
export const unknownProperties = message(
  (unknown: readonly string[], properties: readonly string[]) =>
    `has no property ${unknown.map((property) => `\`${property}\``).join(", ")}; ${propertiesAre(properties)}`,
  [["at"], ["database", "timestamp"]],
);

/**
 * Reports an argument that the resource, function or list does not have.
 *
 * @param owner The resource, function or list as it appears in the message.
 */
export const unknownArgument = message(
  (owner: string, argument: string, known: readonly string[]) =>
    `${owner} has no property \`${argument}\`; ${propertiesAre(known)}`,
  ["a list of databases", "nmae", ["name", "group"]],
  ["getLocations", "limit", []],
);

export const UNKNOWN_VALUE = "is not known yet";

export const AUTONAMING_DISABLED = "is required, because autonaming is disabled for this stack";

/** Reports that every name the provider could generate is too long for the organization. */
export const noRoomToGenerate = message(
  (shortest: number, longest: number) =>
    `is required, because a generated name has at least ${shortest} characters, but a name in this organization has at most ${longest}`,
  [9, 8],
);

/**
 * Reports that two resources share a value that must be unique.
 *
 * @param urn The URN of the other resource.
 */
export const sameValue = message(
  (urn: string, property: string) =>
    `${urn} in this program has the same \`${property}\`; ${property === "name" ? "choose another `name`" : "merge the two resources into one"}`,
  ["urn:pulumi:dev::shop::dbplatform:index:Database::orders", "name"],
  ["urn:pulumi:dev::shop::dbplatform:index:DatabaseConfiguration::orders", "database"],
);

/**
 * Reports that a program declares two resources of a type that can exist only once per organization.
 *
 * @param urn The URN of the other resource.
 */
export const declaredTwice = message(
  (type: string, urn: string) =>
    `an organization has only one ${type}, and ${urn} in this program declares it; merge the two resources into one`,
  ["OrganizationSettings", "urn:pulumi:dev::shop::dbplatform:index:OrganizationSettings::acme"],
);

export const listUnavailable = message((kind: string) => `the platform cannot list ${kind}s`, ["API token"]);

/** Describes a list in messages about its arguments, for example "the list of databases". */
export const listOf = message((kind: string) => `the list of ${kind}s`, ["database"]);

export const invalidListQuery = message(
  (kind: string, problems: readonly { readonly property: string; readonly reason: string }[]) => ({
    tried: `cannot list ${kind}s`,
    answer: problems.map(({ property, reason }) => `${property}: ${reason}`).join("; "),
  }),
  ["database", [{ property: "deleted", reason: "must be a boolean, not a string: write true or false" }]],
);
