import type { Facts } from "../../values/facts";

// Seed content
export const UNKNOWN_KEY = "unknown key";
export const TYPE_NOT_PERSONAL = 'must be "personal", because the slug is a username';
export const ORGANIZATION_NOT_MANAGED = "at least one member must be an owner or admin";
export const DUPLICATE_LOCATION = "duplicate location";
export const ANCESTOR_OF_ITSELF = "a database cannot be its own ancestor";
export const PARENT_MISSING = "requires parent";
export const PARENT_NOT_UUID = "must be a UUID, because parent_name is given";
export const DELETION_MISSING = "requires deleted_at";
export const userMissing = ({ username }: Facts<"username">) => `there is no user "${username}"`;
export const duplicate = ({ kind, text }: Facts<"kind" | "text">) => `duplicate ${kind} "${text}"`;
export const personalMembers = ({ slug }: Facts<"slug">) =>
  `a personal organization must have exactly one member, its owner "${slug}"`;
export const referenceMissing = ({ kind, name }: Facts<"kind" | "name">) =>
  `this organization has no ${kind} "${name}"`;
export const tokenUserNotMember = ({ username }: Facts<"username">) =>
  `user "${username}" is not a member of this organization`;
export const tokenGroupDeleted = ({ group }: Facts<"group">) => `group "${group}" is deleted, so it cannot have tokens`;
export const locationCodeUnknown = ({ location }: Facts<"location">) => `"${location}" is not a location code`;
export const momentMalformed = ({ text }: Facts<"text">) =>
  `"${text}" is neither an instant (2026-01-31T12:00:00Z) nor a duration before the start (-2d, -1d12h)`;
export const momentOutOfRange = ({ text }: Facts<"text">) => `"${text}" is not in the years 1 to 9999`;
export const fileUnreadable = ({ content, file, reason }: Facts<"content" | "file" | "reason">) =>
  `Cannot read the ${content} file ${file}: ${reason}`;
export const fileNotUtf8 = ({ file }: Facts<"file">) => `${file}: the file is not valid UTF-8`;

const CONTENT: Readonly<Record<string, string>> = {
  seed: "a seed needs users and organizations",
  faults: "write a list of rules, such as - operation: listDatabases",
};
export const fileEmpty = ({ content, file }: Facts<"content" | "file">) =>
  `${file}: the file is empty; ${CONTENT[content] ?? "it needs content"}`;
export const aliasesTooLarge = ({ file }: Facts<"file">) => `${file}: the aliases of the file expand to too much data`;
export const NESTED_TOO_DEEPLY = "the file is nested too deeply";
export const SECOND_DOCUMENT = "a second document begins here; put everything into one document";
export const anchorMissing = ({ alias }: Facts<"alias">) => `alias "${alias}" has no anchor before it`;
/** The term for an object in messages about YAML files. Other messages say "a JSON object". */
export const YAML_OBJECT = "an object";
