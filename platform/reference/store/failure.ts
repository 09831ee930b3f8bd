import { INVALID_CURSOR, NOT_DONE } from "./messages";

/** The store could not do the work, and has changed nothing. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";

  /** @param reason `full`: the disk has no room for the written data. */
  constructor(
    readonly reason: keyof typeof NOT_DONE,
    override readonly cause: unknown,
  ) {
    super(NOT_DONE[reason], { cause });
  }
}

/** A cursor that no page of the list has returned. */
export class InvalidCursor extends Error {
  override readonly name = "InvalidCursor";

  constructor() {
    super(INVALID_CURSOR);
  }
}
