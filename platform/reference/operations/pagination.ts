import type { Page } from "../store/page";

/** Returns the pagination of a response. `next` is absent on the last page (wire-facts 4.5). */
export const paginationOf = ({ next }: Page<unknown>): { next?: string } => (next === undefined ? {} : { next });
