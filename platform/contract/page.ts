import * as z from "zod";
import { notWholeNumber } from "../values/messages";
import { lazy } from "./lazy";

/**
 * Returns a schema for a whole number from 1 to `most`. Only decimal digits are accepted, because `Number` would also
 * accept `1e2` and `0x10`.
 */
export function wholeNumber(most: number) {
  const error = ({ input }: { readonly input?: unknown }) =>
    notWholeNumber({ largest: most, text: String(input).slice(0, 40) });
  const isInRange = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most;
  return z.coerce.string().refine(isInRange, { error }).transform(Number).pipe(z.int().min(1).max(most));
}

/** The query parameters of a paged list: page size and cursor (§4.4, wire-facts 4.1). */
export const pageQuery = lazy(() =>
  z.object({
    limit: wholeNumber(1000).optional().meta({ description: "Page size, 1 to 1000." }),
    cursor: z.string().optional().meta({ description: "Opaque text: `pagination.next` of the previous page." }),
  }),
);

/** The pagination of a response. `next` is absent on the last page (wire-facts 4.5). */
export const Pagination = lazy(() => z.object({ next: z.string().nullish() }));
