import { readableInstant } from "../../kit/instant";
import { jsonOutput, tableOutput } from "../command/output";
import type { ManagedObjects } from "../command/states";
import { typeTokenOf } from "../command/type-token";
import { type DeletedInventory, type RestorableThing, restoredWith } from "./deleted";
import type { Inventory, Omission } from "./inventory";
import { deletion, hoursLeft, IN_NO_STACK, NOTHING_DELETED, NOTHING_UNMANAGED, restoredWithGroup } from "./messages";

export interface DeletedReport extends DeletedInventory {
  /** The objects that stacks manage according to their state files. Absent if the user passed no state files. */
  readonly managed?: ManagedObjects | undefined;
}

/** Formats the deleted objects as JSON, so that programs can read the list. */
export const deletedReportJson = ({ things, leftOut, managed }: DeletedReport): string =>
  jsonOutput({
    deleted: things.map((thing) => ({
      type: typeTokenOf(thing.resource.type),
      name: thing.name,
      id: thing.id,
      parent: thing.parent,
      deletedAt: thing.deletedAt,
      deletedBy: thing.by?.author,
      restorableUntil: thing.restorableUntil,
      secondsLeft: thing.secondsLeft,
      restoredWith: restoredWith(thing),
      stacks: managed?.stacksOf(thing),
    })),
    leftOut: leftOutJson(leftOut),
  });

/** Formats the deleted objects as a table with one line for each object. */
export function deletedReportTable({ things, managed }: DeletedReport): string {
  if (things.length === 0) return `${NOTHING_DELETED}\n`;
  const rows = things.map((thing) => [
    thing.resource.type,
    thing.name,
    thing.id,
    groupCell(thing),
    readableInstant(thing.deletedAt),
    thing.by?.author ?? "",
    readableInstant(thing.restorableUntil),
    hoursLeft(thing),
    managed ? managed.stacksOf(thing).join(", ") || IN_NO_STACK : "",
  ]);
  const heading = ["TYPE", "NAME", "ID", "GROUP", "DELETED", "DELETED BY", "RESTORABLE UNTIL", "HOURS LEFT"];
  return tableOutput([[...heading, managed ? "STACK" : ""], ...rows]);
}

function groupCell(thing: RestorableThing): string {
  const { name: group = "" } = thing.container ?? {};
  return restoredWith(thing) === undefined ? group : restoredWithGroup({ group });
}

/** Formats the unmanaged objects as JSON, so that programs can read the list. */
export const unmanagedJson = ({ things, leftOut, creations }: Inventory): string =>
  jsonOutput({
    unmanaged: things.map((thing) => ({
      type: typeTokenOf(thing.resource.type),
      name: thing.name,
      id: thing.id,
      parent: thing.parent,
      ...creations?.get(thing),
      deletedAt: thing.deletedAt,
    })),
    leftOut: leftOutJson(leftOut),
  });

/** Formats the unmanaged objects as a table with one line for each object. */
export function unmanagedTable({ things, creations }: Inventory): string {
  if (things.length === 0) return `${NOTHING_UNMANAGED}\n`;
  const rows = things.map((thing): string[] => {
    const { resource, name, id, container, deletedAt } = thing;
    const { createdAt, createdBy = "" } = creations?.get(thing) ?? {};
    const created = createdAt === undefined ? "" : readableInstant(createdAt);
    return [
      resource.type,
      name,
      id,
      container?.name ?? "",
      created,
      createdBy,
      deletedAt ? deletion({ deletedAt }) : "",
    ];
  });
  return tableOutput([["TYPE", "NAME", "ID", "PARENT", "CREATED", "CREATED BY", ""], ...rows]);
}

const leftOutJson = (leftOut: readonly Omission[]) =>
  leftOut.map(({ type, ...rest }) => ({ type: typeTokenOf(type), ...rest }));
