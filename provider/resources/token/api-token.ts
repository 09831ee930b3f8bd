import * as z from "zod";
import type { Problem } from "../../../kit/field";
import { word } from "../../../kit/field";
import { isRefusal, Refusal, unlessRefused } from "../../../kit/refusal";
import { Absent, Live } from "../../../kit/results";
import type { ApiToken as ApiTokenRecord } from "../../../platform/contract/token";
import { tokenNameProblem } from "../../../platform/values/name";
import { PRESET_DESCRIPTIONS, SCOPE_DESCRIPTIONS, sameScopes, scopeProblem } from "../../../platform/values/scope";
import { isAdmin, retrieveTokenUser } from "../../client/credential";
import { explainAccess, permissionsFor } from "../../permissions/permissions";
import { field, type PlatformContext, resource } from "../../platform";
import {
  assertGroupVisible,
  groupIdOrName,
  insideGroup,
  referencedGroupFailure,
  sameGroup,
  withGroup,
} from "../group/reference";
import {
  apiTokenNotFound,
  apiTokenNotRevoked,
  apiTokenOutOfSight,
  GROUP_MISSING,
  groupLost,
  ownApiToken,
  ownApiTokenManaged,
  revokedOrGroupLost,
  SCOPES_MISSING,
  TOKEN_IN_OTHER_STACK,
  tokenNameInsteadOfId,
} from "./messages";

const scope = word({
  name: "Scope",
  description: "What a group-scoped token may do: one scope, or a preset that stands for several.",
  values: { ...SCOPE_DESCRIPTIONS, ...PRESET_DESCRIPTIONS },
  isClosed: true,
});

const describedScopes = (descriptions: Readonly<Record<string, string>>): string =>
  Object.keys(descriptions)
    .map((value) => `\`${value}\``)
    .join(", ");

type Entry = z.output<ReturnType<typeof ApiTokenRecord>>;

const LONGEST_NAME = 64;

export const apiToken = resource({
  type: "ApiToken",
  description:
    "A Platform API token: for the whole organization, or for one group with a set of scopes. A token cannot be changed, so every change replaces it; deleting the resource revokes it, except the token with which the provider authenticates. A token of a group stops working when the group is deleted or transferred.",
  inputs: {
    name: field.replaces(z.string(), {
      describe:
        "Name of the token, unique among the tokens of the same user. Default: generated from the name of the resource. Another name replaces the token by a new one, and the old one is revoked.",
      describeOutput: "Name of the token.",
      valid: (name) => tokenNameProblem(name),
    }),
    group: field.replaces(z.string().optional(), {
      describe:
        "The group that the token is restricted to: its UUID (`group.id`) or its name. Default: the token is valid for the whole organization. Another group replaces the token by a new one, and the old one is revoked.",
      ...groupIdOrName,
    }),
    scopes: field.replaces(z.array(scope).optional(), {
      describe: `What a group-scoped token may do; needed with \`group\`. Scopes: ${describedScopes(SCOPE_DESCRIPTIONS)}. Presets: ${describedScopes(PRESET_DESCRIPTIONS)}. Other scopes replace the token by a new one, and the old one is revoked.`,
      valid(scopes) {
        if (scopes.length === 0) return { property: "scopes", reason: SCOPES_MISSING };
        return scopes
          .map((scope, index) => ({ property: `scopes[${index}]`, reason: scopeProblem(scope) }))
          .find((problem): problem is Problem => problem.reason !== undefined);
      },
      same: (wanted, observed) => observed !== undefined && sameScopes(wanted, observed),
    }),
    keepers: field.keepers(z.record(z.string(), z.string()).optional(), {
      describe:
        "Any values. When one of them changes, the token is replaced: without a `name`, the new token is minted before the old one is revoked; with a `name`, the old one is revoked first. The values are never sent to the platform.",
      default: {},
    }),
  },
  outputs: {
    token: field.shownOnce(z.string(), {
      describe: "The token, a JWT. The platform shows it only once, so an imported token lacks it.",
    }),
    groupId: field.output(z.uuid().optional(), { describe: "UUID of the group that the token is pinned to." }),
    groupName: field.output(z.string().optional(), { describe: "Name of the group that the token is pinned to." }),
    organizationId: field.output(z.uuid(), { describe: "UUID of the organization that the token acts on." }),
  },
  permissions: permissionsFor(
    { read: ["listApiTokens"], create: ["createApiToken"], delete: ["revokeApiToken"] },
    TOKEN_IN_OTHER_STACK,
  ),
  importing: {
    name: "pipeline",
    id: "<id>",
    description:
      "The id is the one that `getApiTokens` and `dbplatform adopt` list. An imported token has no `token`, because the platform shows it only at creation.",
    async problem(id, context) {
      const entries = await listApiTokens(context);
      const named = entries.some((entry) => entry.id === id) ? undefined : entries.find(({ name }) => name === id);
      return named && tokenNameInsteadOfId({ id: named.id });
    },
  },
  inside: insideGroup,
  same: { group: sameGroup },

  valid({ group, scopes }) {
    if (group !== undefined && scopes === undefined) return { property: "scopes", reason: SCOPES_MISSING };
    if (group === undefined && scopes !== undefined) return { property: "group", reason: GROUP_MISSING };
    return undefined;
  },

  async read(id, context) {
    const listed = context.maxAge && (await recentApiToken(id, context));
    const entry = listed ?? (await listApiTokens(context)).find((one) => one.id === id);
    if (entry) return liveApiToken(entry, context);
    await confirmTokenAbsence(id, context.known, context);
    const reason = await tokenDeletionReason(context.known, context);
    return new Absent(apiTokenNotFound({ id, organization: context.platform.organization.slug, reason }));
  },

  async *list(context) {
    const { organization } = context.platform;
    for (const { id, name, group } of await listApiTokens(context)) {
      const parent = group === undefined ? undefined : (await organization.group(group))?.uuid;
      yield { id, name, ...(parent === undefined ? {} : { parent }) };
    }
  },

  named: {
    within: "organization",
    longest: () => LONGEST_NAME,
    ids: async (context) => (await recentApiTokens(context)).items,
    async find(name, context) {
      const load = () => listApiTokens(context);
      const entries = await (context.maxAge === "run" ? context.run.once("tokens", load) : load());
      return findOwnApiToken(name, entries, context);
    },
  },

  async create({ name, group, scopes }, context) {
    const { api, organization } = context.platform;
    const organizationId = await organization.id();
    if (group === undefined) {
      const minted = await api.createApiToken({ tokenName: name, body: { organization: organization.slug } });
      const unpinned = { group, groupId: undefined, groupName: undefined, scopes };
      return { id: minted.id, state: { name, ...unpinned, token: minted.token, organizationId } };
    }
    return withGroup(group, context, async (record) => {
      const body = { organization: organization.slug, group: record.name, scopes };
      const minted = await api.createApiToken({ tokenName: name, body });
      const pinned = { group, groupId: record.uuid, groupName: record.name, scopes };
      return { id: minted.id, state: { name, ...pinned, token: minted.token, organizationId } };
    });
  },

  async delete(id, context) {
    const reason = await ownTokenRefused(id, context);
    if (reason !== undefined) throw new Refusal("conflict", apiTokenNotRevoked({ name: context.now.name, id, reason }));
    await context.platform.api.revokeApiToken({ tokenId: id });
  },

  checks: {
    create: ({ group }, context) => (group === undefined ? undefined : referencedGroupFailure(group, context)),
    delete: ownTokenRefused,
  },
});

export async function listApiTokens(context: PlatformContext): Promise<readonly Entry[]> {
  const { api } = context.platform;
  return explainAccess("listApiTokens", context, async () => {
    const { tokens } = await api.listApiTokens();
    return tokens;
  });
}

const recentApiTokens = (context: PlatformContext) =>
  context.platform.lists.get(
    "apiTokens",
    async () => new Map((await listApiTokens(context)).map((entry) => [entry.id, entry])),
    "seconds",
  );

/** Finds a token in a list that may be a few seconds old, unless this process has changed the token since. */
async function recentApiToken(id: string, context: PlatformContext): Promise<Entry | undefined> {
  const { items, isCurrent } = await recentApiTokens(context);
  return isCurrent(id) ? items.get(id) : undefined;
}

/**
 * Finds the caller's token with this name. Names are unique only among the tokens of one user, and an entry without an
 * owner belongs to the caller (§5 rule 9).
 */
async function findOwnApiToken(name: string, entries: readonly Entry[], context: PlatformContext) {
  const named = entries.filter((entry) => entry.name === name);
  if (named.length === 0) return undefined;
  const { user } = await context.platform.api.retrieveUser();
  const own = named.filter((entry) => entry.owner === undefined || entry.owner.username === user.username);
  const [entry] = own;
  if (entry === undefined || own.length > 1) return undefined;
  return { id: entry.id, state: await apiTokenStateOf(entry, context) };
}

/** Converts a record to what the platform shows, which lacks the token itself. */
async function apiTokenStateOf({ name, group, scopes }: Entry, { platform: { organization } }: PlatformContext) {
  const organizationId = await organization.id();
  const groupId = group === undefined ? undefined : (await organization.group(group))?.uuid;
  return { name, groupName: group, scopes, group: groupId ?? group, groupId, organizationId };
}

/** Adds a warning if the provider authenticates with the token, because `pulumi destroy` asks no provider in its preview. */
async function liveApiToken(
  entry: Entry,
  context: PlatformContext & { readonly known?: TokenState | undefined },
): Promise<Live<Awaited<ReturnType<typeof apiTokenStateOf>>>> {
  const { known } = context;
  const isOwn = known !== undefined && (await isCredentialOfProvider(entry.id, known.token, context));
  const message = isOwn ? ownApiTokenManaged({ name: entry.name }) : undefined;
  return new Live(await apiTokenStateOf(entry, context), { message });
}

/**
 * Returns why the token must not be revoked. The engine orders the deletions of a run, and another provider of the
 * program may use the token too, so nothing shows that no later request needs it.
 */
async function ownTokenRefused(
  id: string,
  context: PlatformContext & { readonly now: { readonly name: string; readonly token?: string } },
): Promise<string | undefined> {
  const { name, token } = context.now;
  return (await isCredentialOfProvider(id, token, context)) ? ownApiToken({ name }) : undefined;
}

/**
 * Returns whether the provider authenticates with this token. An imported token has no value to compare: it is the
 * provider's own if the user has no other token for the whole organization, because the list contains the provider's
 * own (§4.9).
 */
async function isCredentialOfProvider(
  id: string,
  token: string | undefined,
  context: PlatformContext,
): Promise<boolean> {
  const { api, credential, authenticatesWith } = context.platform;
  if (authenticatesWith({ id, token })) return true;
  if (token !== undefined || credential.groupId !== undefined || credential.unrestricted) return false;
  if (credential.id === undefined) return false;
  const { username } = await context.run.once("user", async () => (await api.retrieveUser()).user);
  const candidates = [...(await recentApiTokens(context)).items.values()].filter(
    ({ group, owner }) => group === undefined && (owner === undefined || owner.username === username),
  );
  return candidates.length === 1 && candidates[0]?.id === id;
}

interface TokenState {
  readonly token?: string;
  readonly groupId?: string | undefined;
  readonly groupName?: string | undefined;
}

/**
 * Confirms that a token no longer exists. If the token itself is known, checks that the platform rejects it. Otherwise
 * the caller must be an admin or owner, because other users see only the tokens that they created (§5 rule 9).
 */
async function confirmTokenAbsence(id: string, known: TokenState | undefined, context: PlatformContext): Promise<void> {
  assertGroupVisible(known?.groupId, context);
  if (known?.token !== undefined) {
    const isRevoked = await context.platform
      .apiWith(known.token)
      .validateApiToken()
      .then(() => false, isUnauthenticated);
    if (isRevoked) return;
  } else {
    const caller = await retrieveTokenUser(context.platform.api);
    if (caller && isAdmin(caller)) return;
  }
  throw new Refusal("forbidden", apiTokenOutOfSight({ id }));
}

/**
 * Explains why the tokens of a group may have become permanently invalid, for example because the group was deleted or
 * transferred (§3). Returns `undefined` for a token without a group.
 */
async function tokenDeletionReason(
  known: TokenState | undefined,
  context: PlatformContext,
): Promise<string | undefined> {
  if (known?.groupId === undefined) return undefined;
  const { groupId, groupName = groupId } = known;
  const groups = await context.platform.organization.groups().catch(unlessRefused);
  if (!groups || groups.some(({ uuid }) => uuid === groupId)) return revokedOrGroupLost({ groupName });
  const successor = groups.find(({ name }) => name === groupName);
  return groupLost({ groupName, groupId, successor: successor?.uuid });
}

function isUnauthenticated(refusal: unknown): boolean {
  if (!isRefusal(refusal, "unauthenticated")) throw refusal;
  return true;
}
