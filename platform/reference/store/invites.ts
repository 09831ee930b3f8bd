import { checkedColumns } from "./columns";
import { nextNumber } from "./counters";
import type { InviteRow, State } from "./schema";

export const listInvites = (state: State, organizationId: string): Promise<InviteRow[]> =>
  state.selectFrom("invites").selectAll().where("organization_id", "=", organizationId).orderBy("number").execute();

/** Stores an invite, replacing an earlier invite to the same email. The email must be in lower case. */
export async function putInvite(state: State, invite: Omit<InviteRow, "number">): Promise<void> {
  await removeInvite(state, invite.organization_id, invite.email);
  const number = await nextNumber(state, "invites");
  await state
    .insertInto("invites")
    .values(checkedColumns({ ...invite, number }))
    .execute();
}

export async function removeInvite(state: State, organizationId: string, email: string): Promise<boolean> {
  const removed = await state
    .deleteFrom("invites")
    .where("organization_id", "=", organizationId)
    .where("email", "=", email.toLowerCase())
    .returning("number")
    .executeTakeFirst();
  return removed !== undefined;
}

/** Returns whether any organization has a pending invite for this email. */
export async function isInvited(state: State, email: string): Promise<boolean> {
  const invite = await state
    .selectFrom("invites")
    .select("number")
    .where("email", "=", email.toLowerCase())
    .limit(1)
    .executeTakeFirst();
  return invite !== undefined;
}
