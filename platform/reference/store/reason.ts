import { StoreFailure } from "./failure";

/** What a failure to reach the data was, in a few words. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof StoreFailure) return reasonOf(thrown.cause);
  // Of a host with several addresses, each with its own reason.
  if (thrown instanceof AggregateError) return thrown.errors.map(reasonOf).join("; ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}
