import { z } from "zod";

/** Page size and cursor of every list that has pages (§4.4, wire-facts 4.1). */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).optional().meta({ description: "Page size, 1 to 1000." }),
  cursor: z.string().optional().meta({ description: "Opaque; from the `pagination.next` of the page before." }),
});

/** `next` is absent on the last page (wire-facts 4.5). */
export const Pagination = z.object({ next: z.string().nullish() });
