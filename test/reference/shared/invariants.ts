import { sql } from "kysely";
import type { State } from "../../../platform/reference/store/schema";
import type { Store } from "../../../platform/reference/store/store";

/** What holds of the records at every moment, each as a query for those that break it. */
const invariants: Record<string, (state: State) => Promise<{ rows: unknown[] }>> = {
  "names of living groups are unique in an organization": (state) =>
    sql`select organization_id, name from groups where deleted_at is null
        group by organization_id, name having count(*) > 1`.execute(state),
  "names of living databases are unique in an organization": (state) =>
    sql`select organization_id, name from databases where deleted_at is null
        group by organization_id, name having count(*) > 1`.execute(state),
  "a database belongs to the organization of its group": (state) =>
    sql`select databases.name from databases join groups on groups.id = databases.group_id
        where groups.organization_id <> databases.organization_id`.execute(state),
  "a living database is in a living group": (state) =>
    sql`select databases.name from databases join groups on groups.id = databases.group_id
        where databases.deleted_at is null and groups.deleted_at is not null`.execute(state),
  "§3 no token of a deleted group is alive": (state) =>
    sql`select tokens.name from tokens join groups on groups.id = tokens.group_id
        where groups.deleted_at is not null`.execute(state),
  "§3 no token outlives the transfer of its group": (state) =>
    sql`select tokens.name from tokens join groups on groups.id = tokens.group_id
        where groups.organization_id <> tokens.organization_id`.execute(state),
  "§2.3 cascade_databases is the number of databases deleted with the group": (state) =>
    sql`select groups.name, cascade_databases from groups
        where cascade_databases <> (select count(*) from databases where group_id = groups.id and returns_with_group = 1)
        `.execute(state),
  "only what is deleted returns with its group": (state) =>
    sql`select name from databases where returns_with_group = 1 and deleted_at is null`.execute(state),
  "§2.6 audit log entries are numbered without gaps": (state) =>
    sql`select organization_id from audit_logs group by organization_id
        having min(number) <> 1 or max(number) <> count(*)`.execute(state),
};

/** The names of those that do not hold, with what breaks them. */
export async function broken(store: Store): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await store.read(query);
    if (rows.length > 0) found[name] = rows;
  }
  return found;
}
