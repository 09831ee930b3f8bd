import { checkedColumns } from "../store/columns";
import type { OrganizationRow, State } from "../store/schema";

export type Organization = OrganizationRow;

export interface User {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly email: string;
}

/** The slug of an organization, which v1 paths and bodies use, or its UUID, which v3 paths use. */
export type OrganizationName = { readonly slug: string } | { readonly id: string };

const selectOrganization = (state: State, name: OrganizationName) => {
  const organizations = state.selectFrom("organizations").selectAll("organizations");
  return "slug" in name
    ? organizations.where("organizations.slug", "=", name.slug)
    : organizations.where("organizations.id", "=", name.id.toLowerCase());
};

export const findOrganization = (state: State, name: OrganizationName): Promise<Organization | undefined> =>
  selectOrganization(state, name).executeTakeFirst();

/** Finds an organization that the user belongs to, and the user's role in it. */
export const findMembership = (
  state: State,
  name: OrganizationName,
  userId: string,
): Promise<(Organization & { role: string }) | undefined> =>
  selectOrganization(state, name)
    .innerJoin("members", "members.organization_id", "organizations.id")
    .select("members.role")
    .where("members.user_id", "=", userId)
    .executeTakeFirst();

export const firstOrganization = (state: State): Promise<Organization | undefined> =>
  state.selectFrom("organizations").selectAll().orderBy("number").limit(1).executeTakeFirst();

export const findUser = (state: State, username: string): Promise<User | undefined> =>
  state.selectFrom("users").selectAll().where("username", "=", username).executeTakeFirst();

export interface Member extends User {
  readonly role: string;
}

export const selectMembers = (state: State, organizationId: string) =>
  state
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["users.id", "users.username", "users.name", "users.email", "members.role"])
    .where("members.organization_id", "=", organizationId);

export const listMembers = (state: State, organizationId: string): Promise<Member[]> =>
  selectMembers(state, organizationId).orderBy("users.username").execute();

export async function putMember(
  state: State,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: string },
): Promise<void> {
  await state
    .insertInto("members")
    .values(checkedColumns({ organization_id: organizationId, user_id: userId, role }))
    .onConflict((conflict) => conflict.columns(["organization_id", "user_id"]).doUpdateSet({ role }))
    .execute();
}

export async function removeMember(state: State, organizationId: string, userId: string): Promise<void> {
  await state
    .deleteFrom("members")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
}

export const listOrganizations = (state: State, limit: number): Promise<Organization[]> =>
  state.selectFrom("organizations").selectAll().orderBy("number").limit(limit).execute();
