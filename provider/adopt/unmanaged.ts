import { readableInstant } from "../../kit/instant";
import { json, table } from "../command/output";
import { tokenOf } from "../command/type-token";
import type { Inventory } from "./inventory";
import { leftOutJson } from "./left-out";
import { deletion, NOTHING_UNMANAGED } from "./messages";

/** Formats the unmanaged objects as JSON, so that programs can read the list. */
export const unmanagedJson = ({ things, leftOut, creations }: Inventory): string =>
  json({
    unmanaged: things.map((thing) => ({
      type: tokenOf(thing.resource.type),
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
    return [resource.type, name, id, container?.name ?? "", created, createdBy, deletedAt ? deletion(deletedAt) : ""];
  });
  return table([["TYPE", "NAME", "ID", "PARENT", "CREATED", "CREATED BY", ""], ...rows]);
}
