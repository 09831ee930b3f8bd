import type { Seed } from "../../../platform/reference/seed/seed";
import type { Store } from "../../../platform/reference/store/store";
import { FIRST } from "./model";

export interface Pair {
  /** Slug of the first organization. */
  readonly here: string;
  /** UUID of the first organization. */
  readonly id: string;
  /** Slug of the second organization. */
  readonly there: string;
  uuid(letter: string): string;
}

export function pair(number: number): Pair {
  const uuid = (letter: string) =>
    `00000000-0000-4000-8${letter.charCodeAt(0).toString(16).padStart(3, "0")}-${String(number).padStart(12, "0")}`;
  return { here: `here-${number}`, id: uuid("0"), there: `there-${number}`, uuid };
}

export function seedOf(pairs: readonly Pair[]): Seed {
  const members = [{ username: "ada", role: "owner" as const }];
  return { users: [{ username: "ada" }], organizations: pairs.flatMap((each) => [hereOf(each), thereOf(each)]) };

  function hereOf({ here, id, uuid }: Pair): Seed["organizations"][number] {
    const groups = Object.entries(FIRST.groups);
    return {
      slug: here,
      id,
      members,
      groups: groups.map(([name, { deleted }]) => ({
        name,
        uuid: uuid(name),
        ...(deleted && { deleted_at: "2026-03-01T11:00:00Z" }),
      })),
      databases: [
        ...groups.flatMap(([group, { databases }]) => databases.map((name) => ({ name, uuid: uuid(name), group }))),
        { name: FIRST.deletedAlone, uuid: uuid(FIRST.deletedAlone), group: "g", deleted_at: "2026-03-01T11:00:00Z" },
      ],
    };
  }

  function thereOf({ there }: Pair): Seed["organizations"][number] {
    return { slug: there, members };
  }
}

export function worldOf(store: Store, { here, there }: Pair): Promise<string[]> {
  const home = (slug: string) => (slug === here ? "here" : "there");
  return store.read(async (state) => {
    const groups = await state
      .selectFrom("groups")
      .innerJoin("organizations", "organizations.id", "groups.organization_id")
      .selectAll("groups")
      .select("slug")
      .where("slug", "in", [here, there])
      .execute();
    const databases = await state
      .selectFrom("databases")
      .innerJoin("organizations", "organizations.id", "databases.organization_id")
      .innerJoin("groups", "groups.id", "databases.group_id")
      .selectAll("databases")
      .select(["slug", "groups.name as group"])
      .where("slug", "in", [here, there])
      .execute();
    const tokens = await state
      .selectFrom("tokens")
      .innerJoin("groups", "groups.id", "tokens.group_id")
      .select(["tokens.name", "groups.name as group"])
      .where("tokens.name", "like", `${here}-%`)
      .execute();
    return [
      ...groups.map(
        ({ name, slug, deleted_at, cascade_databases }) =>
          `group ${name} ${home(slug)} ${deleted_at === null ? "lives" : `deleted with ${cascade_databases}`}`,
      ),
      ...databases.map(
        ({ name, slug, group, deleted_at }) =>
          `database ${name} ${home(slug)} ${deleted_at === null ? `lives in ${group}` : "deleted"}`,
      ),
      ...tokens.map(({ name, group }) => `token ${name.slice(here.length + 1)} for ${group}`),
    ].sort();
  });
}
