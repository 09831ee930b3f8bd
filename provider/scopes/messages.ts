import { message } from "../../platform/values/message";
import { inputName } from "../command/messages";

const GROUP_ID = "0a28102d-6906-11ee-8553-eaa7715aeaf2";

// Errors

export const unreadablePreview = message(
  (path: string, reason: string) => `could not read the preview ${path}: ${reason}`,
  ["preview.json", "ENOENT: no such file or directory, open 'preview.json'"],
);

/** @param path Path of the file that should contain a preview; `-` means standard input. */
export const invalidPreview = message(
  (path: string) => `${inputName(path)} is not a preview; write one with \`pulumi preview --json > preview.json\``,
  ["preview.json"],
  ["-"],
);

export const failedPreview = message(
  (path: string) =>
    `the preview in ${inputName(path)} failed, so its steps are incomplete. Correct the error that it shows, and run the preview again`,
  ["preview.json"],
);

export const NO_OBJECTS =
  "the preview contains no objects of the platform. If the stack has some and they are unchanged, run `pulumi preview --json --show-sames`";

// The result

/** Heading above the result for one provider, used if the preview contains several providers. */
export const ofProvider = message((name: string) => `Provider "${name}":`, ["eu"]);

interface ForGroup {
  /** Name or UUID of the group. `undefined` if the group is known only during the update. */
  readonly group: string | undefined;
  readonly scopes: readonly string[];
}

const quoted = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(", ");

export const groupToken = message(
  ({ group, scopes }: ForGroup) =>
    `This run needs an API token for ${group === undefined ? "one group" : `group "${group}"`} with ${scopes.length === 1 ? "the scope" : "the scopes"} ${quoted(scopes)}.`,
  [{ group: "default", scopes: ["read", "db:create"] }],
  [{ group: undefined, scopes: ["read"] }],
);

const article = (role: string): string => (/^[aeiou]/.test(role) ? "an" : "a");

export const organizationToken = message(
  (role: string, reasons: readonly string[]) =>
    `This run needs an organization-level API token of ${article(role)} ${role}, because ${reasons.join(", and ")}.`,
  ["member", ["a group-scoped token cannot create groups"]],
  ["admin", ["a group-scoped token cannot create API tokens", "it works in 2 groups: default, shared"]],
);

/** @param operations Phrases such as `create groups`. */
export const impossibleForGroupToken = message(
  (operations: readonly string[]) => `a group-scoped token cannot ${operations.join(" or ")}`,
  [["create groups", "create API tokens"]],
);

export const severalGroups = message(
  (groups: readonly string[]) =>
    `the run works in ${groups.length} groups (${groups.join(", ")}) and a group-scoped token works in one`,
  [["default", "shared"]],
);

// Notes

/** @param objects Objects, each written as its type and name, such as `Database orders`. */
export const unknownGroup = message(
  (objects: string) =>
    `The preview does not show the group of ${objects}, because its name or UUID is known only during the update. The token must be for the group of all objects.`,
  ["Database orders"],
);

/** @param databases Names or DbIds of databases that are used as a `seed` and are not in the preview. */
export const seedInGroup = message(
  (databases: readonly string[]) =>
    `The token must also see ${databases.join(", ")}, from which this run copies: they must be in the same group.`,
  [["staging"]],
);

/**
 * @param provider Name of the provider in the program; `default` for the default provider.
 * @param given UUID of the organization, if the preview shows it.
 */
export const organizationIdNeeded = message(
  (provider: string, given: string | undefined) =>
    `Such a token cannot look up its organization: ${
      provider === "default"
        ? `\`pulumi config set dbplatform:organizationId ${given ?? "<uuid>"}\``
        : `set \`organizationId: "${given ?? "<uuid>"}"\` of the provider "${provider}"`
    }.`,
  ["default", undefined],
  ["default", GROUP_ID],
  ["eu", GROUP_ID],
);

export const someGroupsAlike = message(
  (name: string, id: string) =>
    `If "${name}" and ${id} are one group, refer to it in one way; then a group-scoped token may be enough.`,
  ["default", GROUP_ID],
);

/** @param role The lowest role that can see other users' tokens. */
export const onlyOwnTokens = message(
  (role: string) => `With a lower role than ${role}, a user sees only API tokens that the same user created.`,
  ["admin"],
);

/** @param functions Names of functions that no group-scoped token can call. */
export const functionsUnseen = message(
  (functions: readonly string[]) =>
    `A preview does not show which functions a program calls. Most need the scope \`read\`; ${functions.join(", ")} need an organization-level token.`,
  [["getApiTokens", "getOrganization"]],
);

/** Ends a list of objects that is too long to print. */
export const andMore = message((count: number) => `and ${count} more`, [497]);
