import * as z from "zod";

/** Defines an output with a time (RFC 3339) that only deleted objects have. */
export const whileDeleted = (description: string) =>
  z.iso.datetime().optional().meta({ description, whileDeleted: true });

/** Defines a secret output that the platform shows only when the object is created. */
export const shownOnce = (description: string) => z.string().meta({ description, shownOnce: true });

export const isWhileDeleted = ({ state }: { readonly state: z.ZodObject }, property: string): boolean =>
  Boolean(state.shape[property]?.meta()?.whileDeleted);

/** Returns the names of the outputs that the platform shows only when the object is created. */
export const shownOnceBy = (state: z.ZodObject): string[] =>
  Object.keys(state.shape).filter((property) => state.shape[property]?.meta()?.shownOnce);
