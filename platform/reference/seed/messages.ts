import { message } from "../../values/message";

// Seed content

export const UNKNOWN_KEY = "unknown key";
export const TYPE_NOT_PERSONAL = 'must be "personal", because the slug is a username';
export const ORGANIZATION_NOT_MANAGED = "at least one member must be an owner or admin";
export const DUPLICATE_LOCATION = "duplicate location";
export const ANCESTOR_OF_ITSELF = "a database cannot be its own ancestor";
export const PARENT_MISSING = "requires parent";
export const SCOPING_INCOMPLETE = "a group-scoped token requires both group and scopes";

export const userMissing = message((username: string) => `there is no user "${username}"`, ["zoe"]);
export const duplicate = message(
  (kind: string, by: string) => `duplicate ${kind} "${by}"`,
  ["database", "orders"],
  ["group UUID", "0a28102d-6906-41ee-8553-eaa7715aeaf2"],
);
export const personalMembers = message(
  (slug: string) => `a personal organization must have exactly one member, its owner "${slug}"`,
  ["ada"],
);
export const referenceMissing = message(
  (kind: string, name: string) => `this organization has no ${kind} "${name}"`,
  ["group", "shop"],
);
export const tokenUserNotMember = message(
  (username: string) => `user "${username}" is not a member of this organization`,
  ["zoe"],
);
export const tokenGroupDeleted = message(
  (group: string) => `group "${group}" is deleted, so it cannot have tokens`,
  ["shop"],
);
export const locationUnknown = message((code: string) => `"${code}" is not a location code`, ["amss"]);
export const momentMalformed = message(
  (text: string) =>
    `"${text}" is neither an instant (2026-01-31T12:00:00Z) nor a duration before the start (-2d, -1d12h)`,
  ["yesterday"],
);
export const momentOutOfRange = message((text: string) => `"${text}" is not in the years 1 to 9999`, ["-99999w"]);

/** Reports that a YAML file, such as a seed, cannot be opened or read. */
export const fileUnreadable = message(
  (kind: string, path: string, reason: string) => `Cannot read the ${kind} file ${path}: ${reason}`,
  ["seed", "seed.yaml", "ENOENT: no such file or directory, open 'seed.yaml'"],
);
export const fileNotUtf8 = message((path: string) => `${path}: the file is not valid UTF-8`, ["seed.yaml"]);

const CONTENT: Readonly<Record<string, string>> = {
  seed: "a seed needs users and organizations",
  faults: "write a list of rules, such as - operation: listDatabases",
};
export const fileEmpty = message(
  (kind: string, path: string) => `${path}: the file is empty; ${CONTENT[kind] ?? "it needs content"}`,
  ["seed", "seed.yaml"],
  ["faults", "faults.yaml"],
);
export const aliasesTooLarge = message(
  (path: string) => `${path}: the aliases of the file expand to too much data`,
  ["seed.yaml"],
);
export const NESTED_TOO_DEEPLY = "the file is nested too deeply";
export const SECOND_DOCUMENT = "a second document begins here; put everything into one document";
export const duplicateKey = message((key: string) => `duplicate key "${key}"`, ["groups"]);
export const anchorMissing = message((alias: string) => `alias "${alias}" has no anchor before it`, ["defaults"]);
/** The term for an object in messages about YAML files. Other messages say "a JSON object". */
export const YAML_OBJECT = "an object";
