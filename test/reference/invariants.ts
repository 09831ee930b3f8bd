import type { State } from "../../platform/reference/store/schema";

/** Returns one sentence for each row that violates an invariant of the store. */
export async function brokenInvariants(state: State): Promise<string[]> {
  const groups = await state.selectFrom("groups").selectAll().execute();
  const databases = await state.selectFrom("databases").selectAll().execute();
  const tokens = await state.selectFrom("tokens").selectAll().execute();
  const members = await state.selectFrom("members").selectAll().execute();
  const logs = await state.selectFrom("audit_logs").selectAll().execute();

  const groupOf = ({ group_id }: { group_id: string | null }) => groups.find(({ id }) => id === group_id);
  const living = <T extends { deleted_at: string | null }>(rows: T[]) => rows.filter((row) => row.deleted_at === null);
  const broken: string[] = [];
  const never = <T>(what: string, rows: readonly T[], isBroken: (row: T) => boolean) =>
    broken.push(...rows.filter(isBroken).map((row) => `${what}: ${JSON.stringify(row)}`));

  for (const rows of [living(groups), living(databases)] as { name: string; organization_id: string }[][])
    never("two living ones of one name", rows, (row) =>
      rows.some((other) => other !== row && other.name === row.name && other.organization_id === row.organization_id),
    );
  never("a living database of a deleted group", living(databases), (row) => groupOf(row)?.deleted_at !== null);
  never("a database in another organization than its group", databases, (row) => {
    return groupOf(row)?.organization_id !== row.organization_id;
  });
  never("a living database that remembers its deletion", living(databases), (row) => row.group_deleted_at !== null);
  never("a database that was deleted with a living group, and will return with it", databases, (row) => {
    return row.returns_with_group === 1 && groupOf(row)?.deleted_at === null;
  });
  never("a deleted group that counts other databases than went with it", groups, (group) => {
    const went = databases.filter((row) => row.group_id === group.id && row.returns_with_group === 1);
    return group.deleted_at !== null && went.length !== group.cascade_databases;
  });
  never("a token of a dead group", tokens, (row) => row.group_id !== null && groupOf(row)?.deleted_at !== null);
  never("a token in another organization than its group", tokens, (row) => {
    return row.group_id !== null && groupOf(row)?.organization_id !== row.organization_id;
  });
  never("a token with a group and without scopes, or the other way around", tokens, (row) => {
    return (row.group_id === null) !== (row.scopes === null);
  });
  never("two tokens of one name and user", tokens, (row) =>
    tokens.some((other) => other !== row && other.name === row.name && other.user_id === row.user_id),
  );
  for (const id of new Set(members.map((member) => member.organization_id)))
    never("an audit log that is not 1, 2, …", [numbersOf(id)], (numbers) =>
      numbers.some((number, index) => number !== index + 1),
    );
  return broken;

  function numbersOf(organizationId: string): number[] {
    const own = logs.filter((row) => row.organization_id === organizationId);
    return own.map(({ number }) => number).sort((one, other) => one - other);
  }
}
