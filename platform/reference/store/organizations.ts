import type { OrganizationRow, State } from "./schema";

export type Organization = OrganizationRow;

export interface User {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly email: string;
}

/** By slug, as v1 paths and bodies name it, or by UUID, as v3 paths do. */
export type OrganizationName = { readonly slug: string } | { readonly id: string };

export const findOrganization = (state: State, named: OrganizationName): Promise<Organization | undefined> => {
  const organizations = state.selectFrom("organizations").selectAll();
  const found =
    "slug" in named
      ? organizations.where("slug", "=", named.slug)
      : organizations.where("id", "=", named.id.toLowerCase());
  return found.executeTakeFirst();
};

/** The organization that was made first. */
export const firstOrganization = (state: State): Promise<Organization | undefined> =>
  state.selectFrom("organizations").selectAll().orderBy("number").limit(1).executeTakeFirst();

export async function changeOrganization(
  state: State,
  id: string,
  changes: Partial<Omit<Organization, "id">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await state.updateTable("organizations").set(changes).where("id", "=", id).execute();
}

export const findUser = (state: State, username: string): Promise<User | undefined> =>
  state.selectFrom("users").selectAll().where("username", "=", username).executeTakeFirst();

export interface Member extends User {
  readonly role: string;
}

const members = (state: State, organizationId: string) =>
  state
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["users.id", "users.username", "users.name", "users.email", "members.role"])
    .where("members.organization_id", "=", organizationId);

export const listMembers = (state: State, organizationId: string): Promise<Member[]> =>
  members(state, organizationId).orderBy("users.username").execute();

export const findMember = (state: State, organizationId: string, username: string): Promise<Member | undefined> =>
  members(state, organizationId).where("users.username", "=", username).executeTakeFirst();

export const findMemberById = (state: State, organizationId: string, userId: string): Promise<Member | undefined> =>
  members(state, organizationId).where("users.id", "=", userId).executeTakeFirst();

export async function changeRole(
  state: State,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: string },
): Promise<void> {
  await state
    .insertInto("members")
    .values({ organization_id: organizationId, user_id: userId, role })
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
