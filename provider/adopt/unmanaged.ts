import { readableInstant } from "../../platform/values/instant";
import { tokenOf } from "./import-file";
import type { Inventory } from "./inventory";
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
    leftOut: leftOut.map(({ type, ...rest }) => ({ type: tokenOf(type), ...rest })),
  });

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Formats the unmanaged objects as a table with one line for each object. */
export function unmanagedTable({ things, creations }: Inventory): string {
  if (things.length === 0) return `${NOTHING_UNMANAGED}\n`;
  const rows = things.map((thing): string[] => {
    const { resource, name, id, container, deletedAt } = thing;
    const { createdAt, createdBy = "" } = creations?.get(thing) ?? {};
    const created = createdAt === undefined ? "" : readableInstant(createdAt);
    return [resource.type, name, id, container?.name ?? "", created, createdBy, deletedAt ? deletion(deletedAt) : ""];
  });
  const lines = [["TYPE", "NAME", "ID", "PARENT", "CREATED", "CREATED BY", ""], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const padded = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return `${lines.map((line) => padded(line).trimEnd()).join("\n")}\n`;
}
