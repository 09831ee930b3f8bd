import type { AccessScope } from "./access-scope";
import { checkedColumns } from "./columns";
import type { DumpRow, State } from "./schema";

export async function addDump(state: State, dump: DumpRow): Promise<void> {
  await state.insertInto("dumps").values(checkedColumns(dump)).execute();
}

export const findDump = (state: State, { organization }: AccessScope, id: string): Promise<DumpRow | undefined> =>
  state
    .selectFrom("dumps")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("id", "=", id)
    .executeTakeFirst();
