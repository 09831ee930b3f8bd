import { isSameInstant } from "../../kit/instant";
import { nameProblemIn } from "../../platform/values/name";
import { type DeletedThing, isGroup, type Thing } from "../inventory/things";
import { isChosen, type RestoreChoice } from "./choice";
import {
  authorUnproven,
  databaseNameTaken,
  groupDeletedAfter,
  groupNameTaken,
  newerHasName,
  newNameInvalid,
  newNameTaken,
  withoutGroup,
} from "./messages";
import type { Survey } from "./survey";

/** An object that comes back. */
export interface RestoreStep extends DeletedThing {
  /** The new name of a database that does not come back under its old one. */
  readonly newName?: string | undefined;
  /**
   * What restores the object: a request of its own, the restoration of its group, or, for a group, that of one of its
   * databases, which leaves the other databases deleted.
   */
  readonly through: "request" | "group" | "database";
  /** Ids of objects that come back before this one. */
  readonly after: readonly string[];
}

/** An object that was chosen but does not come back. */
export interface RefusedObject extends DeletedThing {
  readonly reason: string;
}

export interface Plan {
  /** Every step follows those in its `after`. */
  readonly steps: readonly RestoreStep[];
  readonly refused: readonly RefusedObject[];
}

/** The object that has a name, or gets it. */
interface Holder {
  readonly id: string;
  /** Absent if the object is live already. */
  readonly deletedAt?: string;
}

/**
 * Plans the restoration of the chosen objects. What was deleted last is planned first, so that it gets its name before
 * older objects do, and a group precedes the databases that were deleted before it.
 */
export function planRestoration(survey: Survey, choice: RestoreChoice): Plan {
  const planner = new Planner(survey, choice);
  for (const object of newestFirst(survey.deleted)) planner.add(object);
  return { steps: [...planner.steps, ...planner.groupsOfDatabases], refused: planner.refused };
}

class Planner {
  /** At most one for each deleted object, as in `refused`. */
  readonly steps: RestoreStep[] = [];
  /**
   * The groups that come back with one of their databases, at most one for each deleted group. They need all of these
   * databases, so they are last.
   */
  readonly groupsOfDatabases: RestoreStep[] = [];
  /** At most one for each deleted object. */
  readonly refused: RefusedObject[] = [];
  readonly #organization: string;
  readonly #obstacle: string | undefined;
  readonly #choice: RestoreChoice;
  /** Who has each name: one entry for each group that is live or comes back. */
  readonly #groupsWithName: Map<string, Holder>;
  /** Who has each name: one entry for each database that is live or comes back. */
  readonly #databasesWithName: Map<string, Holder>;
  readonly #live: ReadonlySet<string>;
  readonly #deletedGroups: ReadonlyMap<string, DeletedThing>;
  /** The step of each group that comes back, and the id of the object that brings it back; one for each group. */
  readonly #groups = new Map<
    string,
    { readonly bringer: string; readonly step: RestoreStep & { readonly after: string[] } }
  >();

  /**
   * The databases that were deleted before their group, with its id, until another database brings the group back; at
   * most one for each deleted database.
   */
  readonly #waiting = new Map<DeletedThing, string>();

  constructor({ organization, obstacle, deleted, liveGroups, liveDatabases }: Survey, choice: RestoreChoice) {
    this.#organization = organization;
    this.#obstacle = obstacle;
    this.#choice = choice;
    this.#groupsWithName = new Map(liveGroups.map(({ id, name }) => [name, { id }]));
    this.#databasesWithName = new Map(liveDatabases.map(({ id, name }) => [name, { id }]));
    this.#live = new Set(liveGroups.map(({ id }) => id));
    this.#deletedGroups = new Map(deleted.filter(isGroup).map((group) => [group.id, group]));
  }

  add(object: DeletedThing): void {
    const chosen = this.#returnsWithGroup(object) || isChosen(object, this.#choice);
    if (!chosen) return;
    const reason =
      chosen === "unproven"
        ? authorUnproven({ author: this.#choice.by ?? "" })
        : (this.#obstacle ?? (isGroup(object) ? this.#addGroup(object) : this.#addDatabase(object)));
    if (reason !== undefined) this.refused.push({ ...object, reason });
  }

  /** Returns whether the restoration of the group, which is planned, restores the database too. */
  #returnsWithGroup({ container: group, groupDeletedAt }: DeletedThing): boolean {
    const planned = group && this.#groups.get(group.id)?.step;
    return planned?.through === "request" && isSameInstant(groupDeletedAt, planned.deletedAt);
  }

  /** Plans to restore a group. Returns the reason if that is impossible. */
  #addGroup(group: DeletedThing): string | undefined {
    const { id, name, deletedAt } = group;
    const holder = this.#groupsWithName.get(name);
    if (holder) return groupNameReason(group, holder, this.#organization);
    this.#groupsWithName.set(name, { id, deletedAt });
    const step = { ...group, through: "request" as const, after: [] };
    this.#groups.set(id, { bringer: id, step });
    this.steps.push(step);
    return undefined;
  }

  /** Plans to restore a database, with its group if necessary. Returns the reason if that is impossible. */
  #addDatabase(database: DeletedThing): string | undefined {
    const { id, name, container: group, groupDeletedAt, deletedAt } = database;
    const planned = group && this.#groups.get(group.id);
    const needsGroup = group !== undefined && !this.#live.has(group.id) && !planned;
    if (needsGroup) {
      if (groupDeletedAt === undefined) {
        this.#waiting.set(database, group.id);
        return groupDeletedAfter({ groupName: group.name, groupId: group.id, deletedAt });
      }
      const holder = this.#groupsWithName.get(group.name);
      if (holder) return withoutGroup({ groupName: group.name, groupId: group.id, successor: holder.id });
    }
    const holder = this.#databasesWithName.get(name);
    const returns = this.#returnsWithGroup(database);
    // The group would otherwise bring back the older of two databases, and the newer would find its name taken.
    if (returns && holder?.deletedAt !== undefined) planned?.step.after.push(holder.id);
    const newName = holder && this.#newNameOf(database);
    const reason = holder && this.#nameReason(database, holder, newName);
    if (reason !== undefined) return reason;
    this.#databasesWithName.set(newName ?? name, { id, deletedAt });
    const through = returns && newName === undefined ? "group" : "request";
    this.steps.push({ ...database, newName, through, after: planned ? [planned.bringer] : [] });
    if (needsGroup) this.#addGroupOf(database, group);
    else if (planned?.step.through === "database") planned.step.after.push(id);
    return undefined;
  }

  /** Adds the group that comes back with a database. The other databases of the group stay deleted. */
  #addGroupOf({ id, groupDeletedAt = "", subject }: DeletedThing, group: Thing): void {
    const found = this.#deletedGroups.get(group.id) ?? { ...group, deletedAt: groupDeletedAt, subject };
    const step = { ...found, through: "database" as const, after: [id] };
    this.#groupsWithName.set(group.name, { id: group.id, deletedAt: step.deletedAt });
    this.#groups.set(group.id, { bringer: id, step });
    this.groupsOfDatabases.push(step);
    for (const [waiting, groupId] of this.#waiting)
      if (groupId === group.id) {
        this.#waiting.delete(waiting);
        this.refused.splice(
          this.refused.findIndex((refused) => refused.id === waiting.id),
          1,
        );
        this.add(waiting);
      }
  }

  #newNameOf({ name }: DeletedThing): string | undefined {
    return this.#choice.rename?.replaceAll("{name}", name);
  }

  /** Returns the reason why a database whose name is taken cannot come back. */
  #nameReason({ name, deletedAt }: DeletedThing, holder: Holder, newName: string | undefined): string | undefined {
    if (newName === undefined)
      return holder.deletedAt === undefined
        ? databaseNameTaken({ name, id: holder.id, deletedAt })
        : newerHasName({ kind: "database", name, id: holder.id, deletedAt });
    const problem = nameProblemIn(newName, this.#organization);
    if (problem !== undefined) return newNameInvalid({ newName, reason: problem });
    const other = this.#databasesWithName.get(newName);
    return other && newNameTaken({ newName, id: other.id });
  }
}

function groupNameReason({ name }: DeletedThing, { id, deletedAt }: Holder, organization: string): string {
  if (deletedAt === undefined) return groupNameTaken({ name, id, organization });
  return newerHasName({ kind: "group", name, id, deletedAt });
}

/**
 * Sorts deleted objects by the time of their deletion, the latest first. The databases that were deleted with a group
 * follow it.
 */
function newestFirst(deleted: readonly DeletedThing[]): DeletedThing[] {
  const groups = new Map(deleted.filter(isGroup).map((group) => [group.id, group]));
  const withGroup = (object: DeletedThing) => {
    const group = groups.get(object.container?.id ?? "");
    return group && isSameInstant(object.groupDeletedAt, group.deletedAt) ? group : undefined;
  };
  const sorted = deleted.toSorted(
    (one, other) =>
      Date.parse(other.deletedAt) - Date.parse(one.deletedAt) ||
      Number(isGroup(other)) - Number(isGroup(one)) ||
      (one.id < other.id ? -1 : 1),
  );
  const contents = Map.groupBy(sorted, withGroup);
  return (contents.get(undefined) ?? []).flatMap((object) => [object, ...(contents.get(object) ?? [])]);
}
