import * as z from "zod";

/** Defines an object type for list items that has its own name in the SDKs. */
export const namedType = <Shape extends z.core.$ZodLooseShape>(typeName: string, description: string, shape: Shape) =>
  z.object(shape).meta({ typeName, description });
