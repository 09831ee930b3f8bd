import { expandScopes } from "../../values/scope";
import { nowIn } from "../clock";
import { findGroup } from "../store/groups";
import { findOrganization, findUser, firstOrganization, listMembers, type Organization } from "../store/organizations";
import type { State } from "../store/schema";
import type { Store } from "../store/store";
import { type Minting, mint } from "./mint";

/** A credential to mint without another credential: at the start, and in tests. */
export interface Credential {
  /** Username. Left out: the first owner or admin of the organization. */
  user?: string;
  /** Slug. Left out: the first organization; `null`: unrestricted (deprecated). */
  organization?: string | null;
  /** Name of a group, for a group-scoped one. */
  group?: string;
  /** Scopes or presets. Left out where a group is given: all. */
  scopes?: readonly string[];
  /** Left out: a random one. */
  name?: string;
}

/** The text of a new credential, made as `createApiToken` makes it. */
export async function credential(store: Store, minting: Minting, wanted: Credential): Promise<string> {
  if (wanted.scopes && wanted.group === undefined) throw new Error("scopes are for a group-scoped token: name a group");
  const named = await organizationOf(store, wanted.organization);
  const minted = await store.transaction([named.slug], async (state) =>
    mint(state, minting, {
      name: wanted.name ?? `reference-${(await minting.ids.bytes(state)).toString("hex", 0, 4)}`,
      userId: await userIdOf(state, wanted.user, named),
      organization: wanted.organization === null ? undefined : named,
      ...(wanted.group !== undefined && {
        group: await groupNamed(state, wanted.group, named),
        scopes: expandScopes(wanted.scopes ?? ["full-access"]),
      }),
      now: await nowIn(state),
    }),
  );
  return minted.token;
}

export async function organizationOf(store: Store, slug: string | null | undefined): Promise<Organization> {
  const found = await store.read((state) => (slug ? findOrganization(state, { slug }) : firstOrganization(state)));
  return found ?? unknown("organization", slug);
}

async function userIdOf(state: State, username: string | undefined, organization: Organization): Promise<string> {
  if (username !== undefined) return ((await findUser(state, username)) ?? unknown("user", username)).id;
  const members = await listMembers(state, organization.id);
  const chosen = members.find(({ role }) => role === "owner") ?? members.find(({ role }) => role === "admin");
  return (chosen ?? unknown("owner or admin of", organization.slug)).id;
}

const groupNamed = async (state: State, name: string, organization: Organization) =>
  (await findGroup(state, { organization }, name)) ?? unknown("group", name);

function unknown(kind: string, name: string | null | undefined): never {
  throw new Error(`the reference API has no ${kind} "${name}"`);
}
