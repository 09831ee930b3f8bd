import * as z from "zod";

/** Defines an object type that gets its own name in the generated SDKs. */
export const namedType = <Shape extends z.core.$ZodLooseShape>(typeName: string, description: string, shape: Shape) =>
  z.object(shape).meta({ typeName, description });
