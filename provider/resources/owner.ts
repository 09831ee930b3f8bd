import { type AnyResource, findByName } from "../../kit/definition";
import { unlessRefused } from "../../kit/refusal";
import { Absent, Live, type ReadResult } from "../../kit/results";
import type { PlatformContext } from "../platform";
import { nameReused } from "./messages";

type Kind = Pick<AnyResource, "type" | "named">;

interface Named {
  readonly name?: string | undefined;
}

interface Owner<Shown> {
  readonly kind: Kind;
  readonly id: string;
  readonly reading: ReadResult<Shown>;
  /** Name of the owner, as recorded before the owner was deleted. */
  readonly name?: string | undefined;
}

/**
 * Reads an object through its owner, because the platform does not report the object itself. An object with a deleted
 * owner counts as live, because restoring the owner restores the object too.
 *
 * @param shownOf Returns what is known of the object, given what the platform shows of its owner.
 */
export async function readThroughOwner<Shown extends Named, State>(
  { kind, id, reading, name }: Owner<Shown>,
  shownOf: (owner: Shown) => State,
  context: PlatformContext,
): Promise<Live<State> | Absent> {
  if (reading.status === "absent") {
    const successor = await ownerSuccessorMessage(kind, { id, name }, context);
    return successor ? new Absent(`${reading.message}. ${successor}`, reading) : reading;
  }
  const shown = shownOf(reading.state);
  if (reading.status === "live") return new Live(shown);
  const message = await ownerSuccessorMessage(kind, { id, name: reading.state.name }, context);
  const deletedOwner = { type: kind.type, id, message: reading.message };
  return new Live(shown, { deletedOwner, message: message && `${message}.` });
}

/** Returns a message if the deleted owner's name now belongs to another object. */
async function ownerSuccessorMessage(
  kind: Kind,
  { id, name }: Named & { readonly id: string },
  context: PlatformContext,
): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const holder = await findByName(kind, name, context, { maxAge: "seconds" }).catch(unlessRefused);
  return holder && nameReused({ kind: kind.type.toLowerCase(), name, successor: holder.id, own: id });
}
