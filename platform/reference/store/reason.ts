import { StoreFailure } from "./failure";

export function reasonOf(thrown: unknown): string {
  if (thrown instanceof StoreFailure) return reasonOf(thrown.cause);
  // Joins the reasons, because connecting to a host with several addresses fails with one error for each address.
  if (thrown instanceof AggregateError) return thrown.errors.map(reasonOf).join("; ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}
