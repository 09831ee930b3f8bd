import * as z from "zod";

/** An object that lists hold, with the name of its own that SDKs give it. */
export const namedType = <Shape extends z.core.$ZodLooseShape>(typeName: string, description: string, shape: Shape) =>
  z.object(shape).meta({ typeName, description });
