import { unlessRefused } from "../../../kit/refusal";
import { type AuditLogPage, actsOf } from "./acts";
import { type Deed, logReadBackTo, type Search } from "./authors";

/** The maximum number of pages that are read, because a change that is worth naming its author is recent. */
const MOST_PAGES = 3;
const PAGE_SIZE = 100;

interface Source {
  fetch(query: { page: number; page_size: number }): Promise<AuditLogPage>;
  /** Returns the platform's time in milliseconds since 1970. */
  now(): number;
}

interface ReadPage {
  readonly page: AuditLogPage;
  readonly askedAt: number;
}

/** Requests the latest pages of the audit log, each at most once, and only as far back as a search needs. */
export class AuditLog {
  /** At most `MOST_PAGES` pages. */
  readonly #pages: Promise<ReadPage | undefined>[] = [];

  /** Returns the result of a search, or `undefined` if the search finds nothing or a page cannot be read. */
  async find(search: Search, source: Source): Promise<Deed | undefined> {
    const entries: AuditLogPage["audit_logs"] = [];
    let asOf: number | undefined;
    for (let number = 1; number <= MOST_PAGES; number++) {
      this.#pages[number - 1] ??= readPage(number, source);
      const found = await this.#pages[number - 1];
      if (!found) return undefined;
      asOf ??= found.askedAt;
      const { audit_logs, pagination } = found.page;
      entries.push(...audit_logs);
      const last = audit_logs.at(-1);
      const isWhole = last === undefined || number >= pagination.total_pages;
      const result = search({
        acts: entries.flatMap(actsOf),
        readBackTo: isWhole ? Number.NEGATIVE_INFINITY : logReadBackTo(Date.parse(last.created_at)),
        asOf,
      });
      if (typeof result === "object") return result;
      if (result === "unclear" || isWhole) return undefined;
    }
    return undefined;
  }
}

async function readPage(page: number, { fetch, now }: Source): Promise<ReadPage | undefined> {
  const askedAt = now();
  // The audit log is optional, so a failure to read it is not an error.
  const answer = await fetch({ page, page_size: PAGE_SIZE }).catch(unlessRefused);
  return answer && { page: answer, askedAt };
}
