import { type SelectQueryBuilder, sql } from "kysely";
import type { Organization } from "../credentials/membership";
import { type Group, protectedDatabaseIn } from "../operations/group";
import { given } from "../store/given";
import { likePatternContaining } from "../store/page";
import type { DatabaseRow, Schema, State } from "../store/schema";

interface Selection {
  readonly search?: string;
  readonly group?: string;
  readonly after?: string;
  readonly groups: number;
  readonly databases: number;
}

export interface GroupOverview {
  readonly group: Group;
  readonly databases: readonly DatabaseRow[];
  /** Number of databases in the group that match the search. Without a search, all databases match. */
  readonly found: number;
  readonly total: number;
  /** Name of a database because of which the group cannot be deleted. */
  readonly protectedDatabase: string | undefined;
}

/**
 * Returns one page of an organization's live groups. If there are more groups, `next` is the name of the last group on
 * the page.
 */
export async function overviewOf(
  state: State,
  { id }: Pick<Organization, "id">,
  selection: Selection,
): Promise<{ groups: GroupOverview[]; next?: string }> {
  const { search = "", group, after = "" } = selection;
  const found = await state
    .selectFrom("groups")
    .selectAll()
    .where("organization_id", "=", id)
    .where("deleted_at", "is", null)
    .where("name", ">", after)
    .$call(given(group, (query, name) => query.where("name", "=", name)))
    .$if(search !== "", (query) =>
      query.where(({ or, exists, selectFrom }) =>
        or([
          sql<boolean>`groups.name like ${likePatternContaining(search)} escape '\\'`,
          exists(
            selectFrom("databases")
              .select("databases.id")
              .whereRef("databases.group_id", "=", "groups.id")
              .where("databases.deleted_at", "is", null)
              .where(sql<boolean>`databases.name like ${likePatternContaining(search)} escape '\\'`),
          ),
        ]),
      ),
    )
    .orderBy("name")
    .limit(selection.groups + 1)
    .execute();
  const shown = found.slice(0, selection.groups);
  const groups: GroupOverview[] = [];
  for (const each of shown) groups.push(await overviewOfGroup(state, each, selection));
  const last = shown.at(-1)?.name;
  return { groups, ...(found.length > shown.length && last !== undefined && { next: last }) };
}

/** Returns the databases of a group that match the search. If the group's name matches, all its databases match too. */
async function overviewOfGroup(state: State, group: Group, { search = "", databases: limit }: Selection) {
  const whole = search === "" || group.name.includes(search.toLowerCase());
  const all = state.selectFrom("databases").where("group_id", "=", group.id).where("deleted_at", "is", null);
  const wanted = all.$if(!whole, (query) =>
    query.where(sql<boolean>`name like ${likePatternContaining(search)} escape '\\'`),
  );
  const databases = await wanted.selectAll().orderBy("name").limit(limit).execute();
  const found = await countDatabases(wanted);
  const total = whole ? found : await countDatabases(all);
  return { group, databases, found, total, protectedDatabase: await protectedDatabaseIn(state, group.id) };
}

async function countDatabases(query: SelectQueryBuilder<Schema, "databases", object>): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll().as("count")).executeTakeFirstOrThrow();
  return Number(count);
}
