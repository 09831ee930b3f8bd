import { auditLogCounterOf } from "./audit-logs";
import { checkedColumns } from "./columns";
import { nextNumber } from "./counters";
import { given } from "./given";
import type { OrganizationRow, State } from "./schema";

export type Organization = OrganizationRow;

export const NEW_ORGANIZATION = {
  plan: "scaler",
  plan_timeline: "",
  overages: 0,
  require_mfa: 0,
  restore_enabled: 1,
  type: "team",
} as const satisfies Partial<Organization>;

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

/** Lists the organizations of a user, oldest first. `only` is a UUID that restricts the list to one organization. */
export const listOrganizationsOf = (state: State, userId: string, only?: string): Promise<Organization[]> =>
  state
    .selectFrom("organizations")
    .innerJoin("members", "members.organization_id", "organizations.id")
    .selectAll("organizations")
    .where("members.user_id", "=", userId)
    .$call(given(only, (query, value) => query.where("organizations.id", "=", value)))
    .orderBy("organizations.number")
    .execute();

export async function countOrganizations(state: State): Promise<number> {
  const { count } = await state
    .selectFrom("organizations")
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function addOrganization(state: State, organization: Omit<Organization, "number">): Promise<boolean> {
  for (;;) {
    const number = await nextNumber(state, "organizations");
    const added = await state
      .insertInto("organizations")
      .values(checkedColumns({ ...organization, number }))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (added) return true;
    if (await findOrganization(state, { slug: organization.slug })) return false;
    // Tries the next number, because a seed numbers its organizations without this counter.
  }
}

export async function removeOrganization(state: State, id: string): Promise<void> {
  const owned = (table: "groups" | "databases") =>
    state.selectFrom(table).select(`${table}.id`).where(`${table}.organization_id`, "=", id);
  await state
    .deleteFrom("signing_keys")
    .where(({ eb, or }) => or([eb("owner_id", "in", owned("groups")), eb("owner_id", "in", owned("databases"))]))
    .execute();
  for (const table of ["tokens", "databases", "groups", "dumps", "invites", "audit_logs", "members"] as const)
    await state.deleteFrom(table).where("organization_id", "=", id).execute();
  await state.deleteFrom("counters").where("name", "=", auditLogCounterOf(id)).execute();
  await state.deleteFrom("organizations").where("id", "=", id).execute();
}

export async function changeOrganization(
  state: State,
  id: string,
  changes: Partial<Omit<Organization, "id">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await state.updateTable("organizations").set(checkedColumns(changes, { id })).where("id", "=", id).execute();
}

export const findUser = (state: State, username: string): Promise<User | undefined> =>
  state.selectFrom("users").selectAll().where("username", "=", username).executeTakeFirst();

export interface Member extends User {
  readonly role: string;
}

const selectMembers = (state: State, organizationId: string) =>
  state
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["users.id", "users.username", "users.name", "users.email", "members.role"])
    .where("members.organization_id", "=", organizationId);

export const listMembers = (state: State, organizationId: string): Promise<Member[]> =>
  selectMembers(state, organizationId).orderBy("users.username").execute();

export const findMember = (state: State, organizationId: string, username: string): Promise<Member | undefined> =>
  selectMembers(state, organizationId).where("users.username", "=", username).executeTakeFirst();

export const findMemberById = (state: State, organizationId: string, userId: string): Promise<Member | undefined> =>
  selectMembers(state, organizationId).where("users.id", "=", userId).executeTakeFirst();

export async function hasOtherOwner(state: State, organizationId: string, userId: string): Promise<boolean> {
  const other = await selectMembers(state, organizationId)
    .where("members.role", "=", "owner")
    .where("members.user_id", "!=", userId)
    .executeTakeFirst();
  return other !== undefined;
}

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
