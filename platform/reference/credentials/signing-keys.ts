import { checkedColumns } from "../store/columns";
import type { SigningKeyRow, State } from "../store/schema";

export interface SigningKey extends SigningKeyRow {
  readonly secret: string;
}

/**
 * Finds the key that signs tokens for this database or group. Returns `undefined` if no token has been issued yet, or
 * none since the last rotation.
 */
export const findSigningKey = (state: State, ownerId: string): Promise<SigningKey | undefined> =>
  state
    .selectFrom("signing_keys")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("secret", "is not", null)
    .$narrowType<{ secret: string }>()
    .executeTakeFirst();

/** Finds an active or retired key. */
export const findKeyById = (state: State, id: string): Promise<SigningKeyRow | undefined> =>
  state.selectFrom("signing_keys").selectAll().where("id", "=", id).executeTakeFirst();

export async function addSigningKey(state: State, key: SigningKey): Promise<void> {
  await state.insertInto("signing_keys").values(checkedColumns(key)).execute();
}

/** Retires a key. It no longer signs, but its tokens and forged ones are still refused for different reasons. */
export async function retireKeyOf(state: State, ownerId: string): Promise<void> {
  await state
    .updateTable("signing_keys")
    .set({ secret: null })
    .where("owner_id", "=", ownerId)
    .where("secret", "is not", null)
    .execute();
}

export async function retireKeysOfGroup(state: State, groupId: string): Promise<void> {
  await retireKeyOf(state, groupId);
  await state
    .updateTable("signing_keys")
    .set({ secret: null })
    .where("owner_id", "in", (eb) => eb.selectFrom("databases").select("id").where("group_id", "=", groupId))
    .where("secret", "is not", null)
    .execute();
}

export const listPublicKeys = (state: State): Promise<Pick<SigningKeyRow, "id" | "jwk">[]> =>
  state
    .selectFrom("signing_keys")
    .select(["id", "jwk"])
    .where("secret", "is not", null)
    .where((eb) =>
      eb.or([
        eb("owner_id", "in", eb.selectFrom("databases").select("id").where("deleted_at", "is", null)),
        eb("owner_id", "in", eb.selectFrom("groups").select("id").where("deleted_at", "is", null)),
      ]),
    )
    .orderBy("id")
    .execute();
