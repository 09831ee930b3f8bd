import * as z from "zod";
import { Role } from "../../contract/organization";
import { checkedText } from "../../contract/schemas";
import { tokenNameProblem } from "../../values/name";
import { expandScopes, scopeProblem } from "../../values/scope";
import type { Ids } from "../ids";
import {
  NO_ORGANIZATION,
  objectMissing,
  refuse,
  roleMissing,
  SCOPES_WITHOUT_GROUP,
  UNRESTRICTED_WITH_GROUP,
  USER_AND_ROLE,
  usernameTaken,
} from "../messages";
import { checkedColumns } from "../store/columns";
import type { GroupRow, State } from "../store/schema";
import type { Store } from "../store/store";
import { clockNow } from "../time/clock";
import {
  findOrganization,
  findUser,
  firstOrganization,
  listMembers,
  type Member,
  type Organization,
  putMember,
  removeMember,
  type User,
} from "./membership";
import { type Minting, mint } from "./mint";

export const Credential = z
  .strictObject({
    user: z
      .string()
      .optional()
      .meta({ description: "Username. Default: the first owner or admin of the organization." }),
    role: Role().optional().meta({
      description:
        "Use a member with this role, instead of a named user. If there is none, a user with the name of the role is added.",
    }),
    organization: z
      .string()
      .min(1)
      .nullable()
      .optional()
      .meta({ description: "Slug. Default: the first organization. `null`: the token is unrestricted (deprecated)." }),
    group: z.string().optional().meta({ description: "Name of a group, for a group-scoped token." }),
    scopes: z
      .array(checkedText(scopeProblem))
      .min(1)
      .readonly()
      .optional()
      .meta({ description: "Scopes or presets of a group-scoped token. Default: all." }),
    name: checkedText(tokenNameProblem).optional().meta({ description: "Name of the token. Default: random." }),
  })
  .meta({ description: "A token to create without having one." });

export type Credential = z.input<typeof Credential>;

/** Mints a credential as the operation `createApiToken` does, and calls the callback `also` in the same transaction. */
export async function mintCredential(
  store: Store,
  minting: Minting,
  { also, ...wanted }: Credential & { readonly also?: (state: State, tokenId: string) => Promise<void> },
): Promise<string> {
  if (wanted.scopes && wanted.group === undefined) throw refuse.invalid({ reason: SCOPES_WITHOUT_GROUP });
  if (wanted.organization === null && wanted.group !== undefined)
    throw refuse.invalid({ reason: UNRESTRICTED_WITH_GROUP });
  if (wanted.user !== undefined && wanted.role !== undefined) throw refuse.invalid({ reason: USER_AND_ROLE });
  const home = await organizationOrFirst(store, wanted.organization);
  return store.transaction([home.slug], async (state) => {
    const { id, token } = await mint(state, minting, {
      name: wanted.name ?? `reference-${(await minting.ids.bytes(state)).toString("hex", 0, 4)}`,
      userId: await userIdFor(state, minting, { ...wanted, home }),
      organization: wanted.organization === null ? undefined : home,
      ...(wanted.group !== undefined && {
        group: await groupNamed(state, wanted.group, home),
        scopes: expandScopes(wanted.scopes ?? ["full-access"]),
      }),
      now: await clockNow(state),
    });
    await also?.(state, id);
    return token;
  });
}

export async function organizationOrFirst(store: Store, slug: string | null | undefined): Promise<Organization> {
  const found = await store.read((state) => (slug ? findOrganization(state, { slug }) : firstOrganization(state)));
  if (found) return found;
  if (slug == null) throw refuse.invalid({ reason: NO_ORGANIZATION });
  return refuseMissing("organization", slug);
}

interface UserChoice extends Pick<Credential, "user" | "role"> {
  readonly home: Organization;
}

async function userIdFor(state: State, { ids }: Minting, { user, role, home }: UserChoice): Promise<string> {
  if (user !== undefined) return ((await findUser(state, user)) ?? refuseMissing("user", user)).id;
  const roles = role === undefined ? (["owner", "admin"] as const) : [role];
  const chosen = await firstMemberWith(roles, state, home.id);
  if (chosen) return chosen.id;
  if (role === undefined || (await findUser(state, role)))
    throw refuse.invalid({ reason: roleMissing({ roles, slug: home.slug }) });
  await setRole(state, ids, { organizationId: home.id, username: role, role });
  return ((await findUser(state, role)) ?? refuseMissing("user", role)).id;
}

/** Returns a member who has one of the given roles. Earlier roles in the list are preferred. */
export async function firstMemberWith(
  roles: readonly z.output<ReturnType<typeof Role>>[],
  state: State,
  organizationId: string,
): Promise<Member | undefined> {
  const members = await listMembers(state, organizationId);
  return roles.map((role) => members.find((member) => member.role === role)).find((found) => found);
}

async function groupNamed(state: State, name: string, { id }: Organization): Promise<GroupRow> {
  const groups = state.selectFrom("groups").selectAll().where("organization_id", "=", id).where("name", "=", name);
  return (await groups.where("deleted_at", "is", null).executeTakeFirst()) ?? refuseMissing("group", name);
}

function refuseMissing(kind: string, name: string): never {
  throw refuse.invalid({ reason: objectMissing({ kind, name }) });
}

/** Gives the user this role, and creates the user if necessary. Without a role, ends the membership. */
export async function setRole(
  state: State,
  ids: Ids,
  { organizationId, username, role }: { organizationId: string; username: string; role: string | undefined },
): Promise<void> {
  const userId = (await findUser(state, username))?.id ?? (await addUser(state, ids, { username }));
  if (role === undefined) await removeMember(state, organizationId, userId);
  else await putMember(state, { organizationId, userId, role });
}

interface NewUser {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
}

async function addUser(state: State, ids: Ids, user: NewUser): Promise<string> {
  if (await findOrganization(state, { slug: user.username })) throw refuse.invalid({ reason: usernameTaken(user) });
  const row = await newUser(state, ids, user);
  await state.insertInto("users").values(checkedColumns(row)).execute();
  return row.id;
}

export const newUser = async (
  state: State,
  ids: Ids,
  { username, name = username, email = `${username}@users.example` }: NewUser,
): Promise<User> => ({ id: await ids.uuid(state), username, name, email });
