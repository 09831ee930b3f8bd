import { NOT_DONE } from "./messages";

/** The store could not do the work, and has done nothing of it. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";

  /** @param reason `full`: the disk has no room for what was to be written. */
  constructor(
    readonly reason: keyof typeof NOT_DONE,
    override readonly cause: unknown,
  ) {
    super(NOT_DONE[reason], { cause });
  }
}

/** A list was asked to go on after a cursor that no page of it has given. */
export class InvalidCursor extends Error {
  override readonly name = "InvalidCursor";
}
