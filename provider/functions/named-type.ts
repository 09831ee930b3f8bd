import * as z from "zod";

export const namedType = <Shape extends z.core.$ZodLooseShape>(typeName: string, description: string, shape: Shape) =>
  z.object(shape).meta({ typeName, description });
