import { unlessRefused } from "../../../platform/client/refusal";
import type { ResourceContext } from "../../resource/context";
import type { AnyResource } from "../../resource/definition";
import type { ReadResult } from "../../resource/results";

interface Owner {
  readonly kind: AnyResource;
  readonly id: string;
  readonly reading: ReadResult<Record<string, unknown>>;
  /** Its name as far as it is remembered, for when it is gone. */
  readonly name?: string | undefined;
}

/**
 * For what exists as long as something else does, and of which the platform tells nothing by itself: as remembered, with
 * what `from` that other one may have changed. It is kept while that one is deleted: restored, it is as good as before.
 */
export async function readThroughOwner<State extends object>(
  { kind, id, reading, name }: Owner,
  known: State,
  from: (owner: Record<string, unknown>) => Partial<State>,
  platform: ResourceContext,
): Promise<ReadResult<State>> {
  if (reading.status === "absent") {
    const successor = await successorOf(kind, { id, name }, platform);
    return { status: "absent", message: successor ? `${reading.message}. ${successor}` : reading.message };
  }
  const state = { ...known, ...from(reading.state) };
  if (reading.status === "live") return { status: "live", state };
  const message = await successorOf(kind, { id, name: reading.state.name }, platform);
  const deletedOwner = { type: kind.type, id, message: reading.message };
  return { status: "live", state, deletedOwner, ...(message === undefined ? {} : { message }) };
}

/** Says so when the name of what is deleted belongs to another one: what hangs on it is not that one's. */
async function successorOf(
  kind: AnyResource,
  { id, name }: { readonly id: string; readonly name: unknown },
  platform: ResourceContext,
): Promise<string | undefined> {
  const holder =
    name === undefined
      ? undefined
      : await kind.named?.findByName({ name: String(name) }, platform, "snapshot").catch(unlessRefused);
  return (
    holder &&
    `The name "${name}" now belongs to another ${kind.type.toLowerCase()} (${holder.id}). This resource belongs to ${id}, which was deleted`
  );
}
