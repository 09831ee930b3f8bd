import * as z from "zod";
import { lazy } from "./lazy";

/** Path under which only the reference API lists its organizations, to callers without a credential. */
export const REFERENCE_ORGANIZATIONS = "/_reference/organizations";

export const ReferenceOrganizations = lazy(() =>
  z.object({ organizations: z.array(z.object({ id: z.string(), slug: z.string() })) }),
);
