import type { Ids } from "../ids";
import { refuse, usernameTaken } from "../messages";
import { changeRole, findOrganization, findUser, removeMember, type User } from "../store/organizations";
import type { State } from "../store/schema";

/** Gives the user this role, and creates the user if necessary. Without a role, ends the membership. */
export async function changeMember(
  state: State,
  ids: Ids,
  { organizationId, username, role }: { organizationId: string; username: string; role: string | undefined },
): Promise<void> {
  const userId = (await findUser(state, username))?.id ?? (await addUser(state, ids, { username }));
  if (role === undefined) await removeMember(state, organizationId, userId);
  else await changeRole(state, { organizationId, userId, role });
}

interface Named {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
}

async function addUser(state: State, ids: Ids, user: Named): Promise<string> {
  if (await findOrganization(state, { slug: user.username })) throw refuse.invalid({ reason: usernameTaken(user) });
  const row = await newUser(state, ids, user);
  await state.insertInto("users").values(row).execute();
  return row.id;
}

export const newUser = async (
  state: State,
  ids: Ids,
  { username, name = username, email = `${username}@users.example` }: Named,
): Promise<User> => ({ id: await ids.uuid(state), username, name, email });
