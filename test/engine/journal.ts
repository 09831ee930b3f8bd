import type { JournalEntry } from "../../platform/reference/journal/journal";
import type { ReferenceApi } from "../../platform/reference/server";

/**
 * Returns a function that lists the operations requested since its previous call.
 *
 * @param isListed Selects journal entries; all by default.
 */
export function operationsOf(api: ReferenceApi, isListed: (entry: JournalEntry) => boolean = () => true) {
  let seen = 0;
  return (): string[] => {
    const journal = api.journal();
    const entries = journal.slice(seen);
    seen = journal.length;
    return entries.filter(isListed).map(({ operation }) => String(operation));
  };
}
