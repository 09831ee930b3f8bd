import * as z from "zod";

/** An output that only deleted objects have: a time (RFC 3339). */
export const whileDeleted = (description: string) =>
  z.iso.datetime().optional().meta({ description, whileDeleted: true });

/** A secret output that the platform shows at creation and never again. */
export const shownOnce = (description: string) => z.string().meta({ description, shownOnce: true });

export const isWhileDeleted = ({ state }: { readonly state: z.ZodObject }, property: string): boolean =>
  Boolean(state.shape[property]?.meta()?.whileDeleted);

/** Names of the outputs that the platform shows at creation and never again. */
export const shownOnceBy = (state: z.ZodObject): string[] =>
  Object.keys(state.shape).filter((property) => state.shape[property]?.meta()?.shownOnce);
