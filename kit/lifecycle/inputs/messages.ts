import type { Facts, Form } from "../../facts";

export const ANY_OBJECT = "an object";

/** Argument types in error messages, by zod's name for the type. */
export const FORMS = {
  string: { name: "a string", written: "write it in quotation marks" },
  boolean: { name: "a boolean", written: "write true or false" },
  number: { name: "a number", written: "write it without quotation marks" },
  int: { name: "a whole number", written: "write it without quotation marks or decimals" },
  array: { name: "a list", written: 'write it as ["…", "…"]' },
  record: { name: ANY_OBJECT, written: 'write it as { key: "value" }' },
} satisfies Record<string, Form>;

export const objectForm = ({ firstProperty }: Facts<"firstProperty">) => `write it as { ${firstProperty}: … }`;

export const REQUIRED = "is required";

export const wrongForm = ({ form, given }: Facts<"form" | "given">) =>
  `must be ${form.name}, not ${given}: ${form.written}`;

export const OTHER_STRING = "another string";

export const wrongValue = ({ allowed, given }: Facts<"allowed" | "given">) =>
  `must be ${allowed.map((value) => JSON.stringify(value)).join(" or ")}, not ${given}`;

const propertiesAre = (properties: readonly string[]): string =>
  properties.length === 0 ? "it has no properties" : `its properties are ${properties.join(", ")}`;

export const unknownProperties = ({ unknown, properties }: Facts<"unknown" | "properties">) =>
  `has no property ${unknown.map((property) => `\`${property}\``).join(", ")}; ${propertiesAre(properties)}`;

export const unknownArgument = ({ owner, argument, known }: Facts<"owner" | "argument" | "known">) =>
  `${owner} has no property \`${argument}\`; ${propertiesAre(known)}`;

export const UNKNOWN_VALUE = "is not known yet";

export const AUTONAMING_DISABLED = "is required, because autonaming is disabled for this stack";

export const noRoomToGenerate = ({ shortest, longest, within }: Facts<"shortest" | "longest" | "within">) =>
  `is required, because a generated name has at least ${shortest} characters, but a name in this ${within} has at most ${longest}`;

export const sameValue = ({ urn, property }: Facts<"urn" | "property">) =>
  `${urn} in this program has the same \`${property}\`; ${property === "name" ? "choose another `name`" : "merge the two resources into one"}`;

export const declaredTwice = ({ type, urn, only }: Facts<"type" | "urn" | "only">) =>
  `${only} has only one ${type}, and ${urn} in this program declares it; merge the two resources into one`;

export const listUnavailable = ({ kind }: Facts<"kind">) => `the platform cannot list ${kind}s`;

export const listTitle = ({ kind }: Facts<"kind">) => `the list of ${kind}s`;

export const invalidListQuery = ({ kind, problems }: Facts<"kind" | "problems">) => ({
  tried: `cannot list ${kind}s`,
  answer: problems.map(({ property, reason }) => `${property}: ${reason}`).join("; "),
});

/** Reports that the user's cancellation or time limit has ended a list. */
export const listCancelled = ({ kind }: Facts<"kind">) => ({
  tried: `could not list ${kind}s`,
  answer: "the operation was cancelled, or its time limit has passed",
});
