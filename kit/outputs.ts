import * as z from "zod";

/** Defines a timestamp output (RFC 3339) that is present only while the object is deleted. */
export const whileDeleted = (description: string) =>
  z.iso.datetime().optional().meta({ description, whileDeleted: true });

export const isWhileDeleted = ({ state }: { readonly state: z.ZodObject }, property: string): boolean =>
  Boolean(state.shape[property]?.meta()?.whileDeleted);

/** Returns the names of the outputs that the platform shows only when the object is created. */
export const shownOnceBy = (state: z.ZodObject): string[] =>
  Object.keys(state.shape).filter((property) => state.shape[property]?.meta()?.shownOnce);

/** Returns the outputs that are defined with `upheld`, and the values that they should have. */
export const upheldBy = (state: z.ZodObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<z.ZodType>(state.shape).flatMap(([property, schema]) => {
      const value = schema.meta()?.upheld;
      return value === undefined ? [] : [[property, value]];
    }),
  );
