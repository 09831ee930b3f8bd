import { INVALID_CURSOR, NOT_DONE } from "./messages";

/** Thrown when the store could not process a request. Nothing was changed. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";

  /** @param reason Why the store failed; `full` means that the disk has no room for the data. */
  constructor(
    readonly reason: keyof typeof NOT_DONE,
    override readonly cause: unknown,
  ) {
    super(NOT_DONE[reason], { cause });
  }
}

export class InvalidCursor extends Error {
  override readonly name = "InvalidCursor";

  constructor() {
    super(INVALID_CURSOR);
  }
}
