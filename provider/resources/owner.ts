import { unlessRefused } from "../../kit/refusal";
import { Absent, Live } from "../../kit/resource";
import type { AnyResource } from "../../kit/resource/definition";
import type { ReadResult } from "../../kit/resource/results";
import type { PlatformContext } from "../platform";
import { nameReused } from "./messages";

interface Owner {
  readonly kind: AnyResource;
  readonly id: string;
  readonly reading: ReadResult<Record<string, unknown>>;
  /** Name of the owner, as recorded before the owner was deleted. */
  readonly name?: string | undefined;
}

/**
 * Reads an object through its owner, because the platform does not report the object itself. An object with a deleted
 * owner counts as live, because restoring the owner restores the object too. Returns the recorded state, updated with
 * the properties that `from` derives from the owner's state.
 */
export async function readThroughOwner<Known extends object>(
  { kind, id, reading, name }: Owner,
  known: Known,
  from: (owner: Record<string, unknown>) => Partial<Known>,
  context: PlatformContext,
): Promise<Live<Known> | Absent> {
  if (reading.status === "absent") {
    const successor = await successorOf(kind, { id, name }, context);
    return new Absent(successor ? { ...reading, message: `${reading.message}. ${successor}` } : reading);
  }
  const shown = { ...known, ...from(reading.state) };
  if (reading.status === "live") return new Live({ shown });
  const message = await successorOf(kind, { id, name: reading.state.name }, context);
  const deletedOwner = { type: kind.type, id, message: reading.message };
  return new Live({ shown, deletedOwner, message: message && `${message}.` });
}

/** Returns a message if the deleted owner's name now belongs to another object. */
async function successorOf(
  kind: AnyResource,
  { id, name }: { readonly id: string; readonly name: unknown },
  context: PlatformContext,
): Promise<string | undefined> {
  const holder =
    name === undefined
      ? undefined
      : await kind.named?.findByName({ name: String(name) }, context, "snapshot").catch(unlessRefused);
  return holder && nameReused({ kind: kind.type.toLowerCase(), name: String(name), successor: holder.id, owner: id });
}
