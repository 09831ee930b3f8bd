import { message } from "../../../platform/values/message";

const ID = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const OTHER_ID = "0bca3e0a-2f5d-4c6b-8d1e-9f0a1b2c3d4e";
const URN = "urn:pulumi:dev::shop::dbplatform:index:Database::orders";

// Taken names

const inUse = (kind: string, name: string, id: string): string => `${kind} name "${name}" is already in use by ${id}`;

export const nameInUse = message(
  (kind: string, name: string) => ({
    answer: `${kind} name "${name}" is already in use`,
    advice: "Choose another `name`",
  }),
  ["database", "orders"],
);

export const nameInUseByReplaced = message(
  (kind: string, name: string, id: string) => ({
    answer: `${inUse(kind, name, id)}, which this resource replaces`,
    advice:
      "Choose another `name`, or set the resource option `deleteBeforeReplace: true` (which frees the name only without `retainOnDelete`)",
  }),
  ["database", "orders", ID],
);

export const nameInUseInStack = message(
  (kind: string, name: string, id: string, urn: string) => ({
    answer: `${inUse(kind, name, id)}, which this stack manages as ${urn}`,
    advice: `If you renamed that resource in the program, add \`aliases: ["${urn}"]\` to the options of this resource; otherwise choose another \`name\``,
  }),
  ["database", "orders", ID, URN],
);

/**
 * Reports that a name is in use. The object with that name cannot be imported into this resource, because this resource
 * already manages another live object.
 *
 * @param managed The object that this resource manages.
 */
export const nameInUseBesideManaged = message(
  (kind: string, name: string, id: string, managed: { readonly title: string; readonly id: string }) => ({
    answer: inUse(kind, name, id),
    advice: `Choose another \`name\`. Or, if an interrupted update created ${id} to replace ${managed.title} (${managed.id}), declare a second resource with \`import: "${id}"\` and remove this resource, which deletes ${managed.title}`,
  }),
  ["database", "orders", ID, { title: 'database "sales"', id: OTHER_ID }],
);

export const nameInUseElsewhere = message(
  (kind: string, name: string, id: string) => ({
    answer: inUse(kind, name, id),
    advice: `If no stack manages that ${kind}, set the resource option \`import: "${id}"\`. If this stack manages it under another logical name, add its URN to \`aliases\`; if through another provider, use that provider; if this resource replaces it, set \`deleteBeforeReplace: true\`. Otherwise choose another \`name\``,
  }),
  ["database", "orders", ID],
);

export const newNameInUse = message(
  (kind: string, name: string, id: string) => ({
    answer: inUse(kind, name, id),
    advice: `Choose another \`name\`, or rename that ${kind} first`,
  }),
  ["group", "production", ID],
);

// Taken keys

/**
 * Reports that the program wants to create an object that already exists.
 *
 * @param isReplacing Whether the resource already manages another object. If so, nothing can be imported into the
 *   resource.
 */
export const existsElsewhere = message(
  (title: string, id: string, isReplacing: boolean) => ({
    answer: `${title} already exists`,
    advice: isReplacing
      ? `To manage it, declare a second resource with the option \`import: "${id}"\``
      : `If no stack manages it, set the resource option \`import: "${id}"\`. If this stack manages it under another logical name, add its URN to \`aliases\``,
  }),
  ['member "max"', "max", false],
  ['member "max"', "max", true],
);

export const existsInStack = message(
  (title: string, urn: string) => ({
    answer: `${title} already exists, and this stack manages it as ${urn}`,
    advice: `If you renamed that resource in the program, add \`aliases: ["${urn}"]\` to the options of this resource`,
  }),
  ['member "max"', "urn:pulumi:dev::team::dbplatform:index:Member::max"],
);

export const existsAsReplaced = message(
  (title: string) => ({
    answer: `${title} already exists, and this resource would replace it with itself`,
    advice: "Set the resource option `deleteBeforeReplace: true`",
  }),
  ['member "max"'],
);
