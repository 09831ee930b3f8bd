import * as z from "zod";
import { shownOnce } from "../../../kit/resource/outputs";
import { renaming } from "../../../kit/resource/renaming";
import { word } from "../../../kit/resource/vocabulary";
import type { ApiToken as ApiTokenRecord } from "../../../platform/contract/token";
import { tokenNameProblem } from "../../../platform/values/name";
import { PRESET_DESCRIPTIONS, SCOPE_DESCRIPTIONS, sameScopes, scopeProblem } from "../../../platform/values/scope";
import { explainForbidden, requires } from "../../permissions/permissions";
import { type PlatformContext, resource } from "../../platform";
import { groupMissing, groupReference, inGroup, withGroup } from "../group/reference";
import { confirmAbsence, deletionReason } from "./absence";
import { apiTokenNotFound, GROUP_MISSING, nameInsteadOfId, SCOPES_EMPTY, SCOPES_MISSING } from "./messages";

const scope = word({
  name: "Scope",
  description: "What a group-scoped token may do: one scope, or a preset that stands for several.",
  values: { ...SCOPE_DESCRIPTIONS, ...PRESET_DESCRIPTIONS },
});

const listed = (descriptions: Readonly<Record<string, string>>): string =>
  Object.keys(descriptions)
    .map((value) => `\`${value}\``)
    .join(", ");

const args = z.object({
  name: z
    .string()
    .optional()
    .describe(
      "Name of the token, unique among the tokens of the same user. Default: generated from the name of the resource.",
    ),
  group: z
    .string()
    .optional()
    .describe(
      "The group that the token is restricted to: its UUID (`group.id`) or its name. Default: the token is valid for the whole organization.",
    ),
  scopes: z
    .array(scope)
    .optional()
    .describe(
      `What a group-scoped token may do; needed with \`group\`. Scopes: ${listed(SCOPE_DESCRIPTIONS)}. Presets: ${listed(PRESET_DESCRIPTIONS)}.`,
    ),
  keepers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "Any values. When one of them changes, the token is replaced: without a `name`, the new token is minted before the old one is revoked; with a `name`, the old one is revoked first. The values are never sent to the platform.",
    ),
});

const state = z.object({
  ...args.shape,
  name: z.string().describe("Name of the token."),
  token: shownOnce("The token, a JWT. The platform shows it only once, so an imported token lacks it."),
  groupId: z.uuid().optional().describe("UUID of the group that the token is pinned to."),
  groupName: z.string().optional().describe("Name of the group that the token is pinned to."),
  organizationId: z.uuid().describe("UUID of the organization that the token acts on."),
});

type ApiTokenArgs = z.output<typeof args> & { name: string };
type ApiTokenState = z.output<typeof state>;
type Entry = z.output<ReturnType<typeof ApiTokenRecord>>;

export const apiTokenFields = state.shape;

export const apiTokenNames = renaming({ name: "name", groupName: "group", scopes: "scopes" });

const LONGEST_NAME = 64;

export const apiToken = resource<ApiTokenArgs, ApiTokenState>({
  type: "ApiToken",
  description:
    "A Platform API token: for the whole organization, or for one group with a set of scopes. A token cannot be changed, so every change replaces it; deleting the resource revokes it. A token of a group stops working when the group is deleted or transferred.",
  importing: {
    name: "pipeline",
    id: "<id>",
    description:
      "The id is the one that `getApiTokens` and `dbplatform-adopt` list. An imported token has no `token`, because the platform shows it only at creation.",
  },
  permissions: requires({ read: ["listApiTokens"], create: ["createApiToken"], delete: ["revokeApiToken"] }),
  args,
  state,
  owned: inGroup,
  traits: {
    name: {
      requiresReplace: true,
      semantics: { validate: (name) => tokenNameProblem(name) },
    },
    group: { requiresReplace: true, semantics: groupReference },
    scopes: {
      requiresReplace: true,
      semantics: {
        validate(scopes) {
          if (scopes.length === 0) return { property: "scopes", reason: SCOPES_EMPTY };
          return scopes
            .map((scope, index) => ({ property: `scopes[${index}]`, reason: scopeProblem(scope) }))
            .find((problem): problem is { property: string; reason: string } => problem.reason !== undefined);
        },
        semanticallyEqual: (wanted, observed) => observed !== undefined && sameScopes(wanted, observed),
      },
    },
    keepers: { requiresReplace: true, local: true, default: {} },
  },

  validate({ group, scopes }) {
    if (group !== undefined && scopes === undefined) return { property: "scopes", reason: SCOPES_MISSING };
    if (group === undefined && scopes !== undefined) return { property: "group", reason: GROUP_MISSING };
    return undefined;
  },

  async identify(id, context) {
    const entries = await listApiTokens(context);
    const named = entries.some((entry) => entry.id === id) ? undefined : entries.find(({ name }) => name === id);
    return named && nameInsteadOfId(named.id);
  },

  async read(id, known, from, context) {
    const recent = from === "snapshot" ? await recentlyListed(context) : undefined;
    const entry = (recent?.isCurrent(id) && recent.items.get(id)) || findById(await listApiTokens(context), id);
    if (entry) return { status: "live", state: (await stateOf(entry, context)) as ApiTokenState };
    await confirmAbsence(id, known, context);
    const reason = await deletionReason(known, context);
    return { status: "absent", message: apiTokenNotFound(id, context.platform.organization.slug, reason) };
  },

  async *list(_query, context) {
    const { organization } = context.platform;
    for (const { id, name, group } of await listApiTokens(context)) {
      const parent = group === undefined ? undefined : (await organization.group(group))?.uuid;
      yield { id, name, ...(parent === undefined ? {} : { parent }) };
    }
  },

  named: {
    longest: () => LONGEST_NAME,
    async recentIds(context) {
      return (await recentlyListed(context)).items;
    },

    async findByName({ name }, context, from) {
      const entries =
        from === "run" ? await context.run.once("tokens", () => listApiTokens(context)) : await listApiTokens(context);
      const named = entries.filter((entry) => entry.name === name);
      if (named.length === 0) return undefined;
      const { user } = await context.platform.api.retrieveUser();
      // Token names are unique only per user, so only the caller's tokens count. Entries without an owner belong to the
      // caller (§5 rule 9).
      const own = named.filter((entry) => entry.owner === undefined || entry.owner.username === user.username);
      const [entry] = own;
      if (entry === undefined || own.length > 1) return undefined;
      return { id: entry.id, state: (await stateOf(entry, context)) as ApiTokenState };
    },
  },

  async create({ name, group, scopes }, context) {
    const { api, organization } = context.platform;
    const organizationId = await organization.id();
    if (group === undefined) {
      const minted = await api.createApiToken({ tokenName: name, body: { organization: organization.slug } });
      return { id: minted.id, state: { name, token: minted.token, organizationId } };
    }
    return withGroup(group, context, async (record) => {
      const body = { organization: organization.slug, group: record.name, scopes };
      const minted = await api.createApiToken({ tokenName: name, body });
      const pinned = { group, groupId: record.uuid, groupName: record.name, scopes };
      return { id: minted.id, state: { name, ...pinned, token: minted.token, organizationId } };
    });
  },

  async delete(id, _observed, { platform: { api } }) {
    await api.revokeApiToken({ tokenId: id });
  },

  preflight: {
    create: async ({ group }, context) => (group === undefined ? undefined : groupMissing(group, context)),
  },
});

export async function listApiTokens(context: PlatformContext): Promise<readonly Entry[]> {
  const { api } = context.platform;
  return explainForbidden("listApiTokens", context, async () => {
    const { tokens } = await api.listApiTokens();
    return tokens;
  });
}

const recentlyListed = (context: PlatformContext) =>
  context.platform.lists.recent(
    "apiTokens",
    async () => new Map((await listApiTokens(context)).map((entry) => [entry.id, entry])),
  );

const findById = (entries: readonly Entry[] | undefined, id: string) => entries?.find((entry) => entry.id === id);

/** Converts a record to state. The state lacks the token itself, because the platform shows a token only once. */
async function stateOf(
  entry: Entry,
  { platform: { organization } }: PlatformContext,
): Promise<Omit<ApiTokenState, "token">> {
  const own = apiTokenNames.fromWire(entry) as { name: string };
  const organizationId = await organization.id();
  if (entry.group === undefined) return { ...own, organizationId };
  const groupId = (await organization.group(entry.group))?.uuid;
  return { ...own, group: groupId ?? entry.group, groupId, organizationId };
}
