import type { Seed } from "../../platform/reference/seed/seed";
import { type OpenReferenceApi, startReferenceApi } from "../../platform/reference/server";
import type { DatabaseRow, GroupRow, TokenRow } from "../../platform/reference/store/schema";
import type { Client } from "../../provider/client/organization-client";
import { clientOf, environmentOf } from "../engine/engine-fixture";

/** Ada makes changes outside Pulumi. Pulumi runs with Cid's credentials. Lea and Zoe are in no organization. */
const SEED: Seed = {
  users: ["ada", "cid", "lea", "zoe"].map((username) => ({ username })),
  organizations: ["acme", "globex"].map((slug) => ({
    slug,
    plan: "scaler",
    members: [
      { username: "ada", role: "owner" },
      { username: "cid", role: "admin" },
    ],
    groups: [{ name: "default", location: "aws-us-east-1" }],
  })),
};

export const CREDENTIALS = ["admin", "pinned", "reading", "elsewhere", "misplaced", "dead"] as const;
export type CredentialKind = (typeof CREDENTIALS)[number];

export const nameOf = (kind: CredentialKind): string => `reference-${kind}`;

export interface PlatformView {
  readonly groups: readonly GroupRow[];
  readonly databases: readonly DatabaseRow[];
  readonly tokens: readonly TokenRow[];
  /** Roles of the members of Acme, by username. */
  readonly members: Readonly<Record<string, string>>;
  /** Roles in the pending invites to Acme, by email. */
  readonly invites: Readonly<Record<string, string>>;
  readonly organizations: Readonly<
    Record<string, { id: string; plan: string; restores: boolean; mfa: boolean; role: string }>
  >;
  readonly now: number;
}

export interface SequenceFixture {
  readonly api: OpenReferenceApi;
  readonly organizationId: string;
  readonly outside: Client;
  /** UUID of the only group that the group-scoped credentials can access. */
  readonly pinnedTo: string;
  /** Ids of databases that were deleted outside Pulumi while an update ran. */
  readonly deletedMeanwhile: Set<string>;
  view(): Promise<PlatformView>;
  environment(kind: CredentialKind): Readonly<Record<string, string>>;
  writes(): number;
}

export async function openSequenceFixture(): Promise<SequenceFixture> {
  const api = await startReferenceApi({ seed: SEED, deterministic: true, now: "2026-03-01T12:00:00Z" });
  const user = "cid";
  const pinned = { user, group: "default" };
  const dead = await api.token({ user, name: "dead" });
  const outside = clientOf(api, await api.token({ user: "ada", organization: null }));
  const tokens: Record<CredentialKind, string> = {
    admin: await api.token({ user }),
    pinned: await api.token({ ...pinned, name: nameOf("pinned") }),
    reading: await api.token({ ...pinned, name: nameOf("reading"), scopes: ["read-only"] }),
    elsewhere: await api.token({ user, organization: "globex" }),
    misplaced: await api.token({ user, organization: "globex" }),
    dead,
  };
  await clientOf(api, dead).revokeOwnApiToken({ tokenName: "dead" });
  const globex = await clientOf(api, tokens.elsewhere).retrieveOrganization({ organizationSlug: "globex" });
  return {
    api,
    organizationId: api.organizationId,
    outside,
    pinnedTo: (await outside.retrieveGroup({ organizationSlug: "acme", groupName: "default" })).group.uuid,
    deletedMeanwhile: new Set(),
    environment: (kind) => ({
      ...environmentOf(api, kind === "elsewhere" ? "globex" : "acme", tokens[kind]),
      DBPLATFORM_ORGANIZATION_ID: kind === "elsewhere" ? globex.organization.id : api.organizationId,
    }),
    writes: () => api.journal().filter(({ method, status }) => method !== "GET" && status === 200).length,
    view: async () => {
      const now = (await api.clock.now()).getTime();
      return api.store.read(async (state) => {
        const organizations = await state.selectFrom("organizations").selectAll().execute();
        const members = await state.selectFrom("members").selectAll().execute();
        const users = await state.selectFrom("users").selectAll().execute();
        const invites = await state.selectFrom("invites").selectAll().execute();
        const acme = organizations.find(({ slug }) => slug === "acme")?.id;
        const ofAcme = ({ organization_id }: { organization_id: string }) => organization_id === acme;
        const cid = users.find(({ username }) => username === user)?.id;
        return {
          groups: await state.selectFrom("groups").selectAll().orderBy("name").orderBy("id").execute(),
          databases: await state.selectFrom("databases").selectAll().orderBy("name").orderBy("id").execute(),
          tokens: await state.selectFrom("tokens").selectAll().orderBy("created_at").orderBy("id").execute(),
          members: Object.fromEntries(
            members.filter(ofAcme).map(({ user_id, role }) => [users.find(({ id }) => id === user_id)?.username, role]),
          ),
          invites: Object.fromEntries(invites.filter(ofAcme).map(({ email, role }) => [email, role])),
          organizations: Object.fromEntries(
            organizations.map(({ id, slug, plan, restore_enabled, require_mfa }) => {
              const member = members.find((one) => one.user_id === cid && one.organization_id === id);
              return [
                slug,
                { id, plan, restores: restore_enabled === 1, mfa: require_mfa === 1, role: member?.role ?? "" },
              ];
            }),
          ),
          now,
        };
      });
    },
  };
}
