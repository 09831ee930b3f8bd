import type { z } from "zod";
import type { ResourceContext } from "./context";
import type { Problem } from "./traits";

/** A function that programs can call. Functions only read; they neither change nor issue anything. */
interface PlatformFunction<Args extends z.ZodObject, Result extends z.ZodObject> {
  /** `dbplatform:index:<name>` */
  readonly name: string;
  /** One or two sentences for users. */
  readonly description: string;
  /** TypeScript code that calls the function as `dbplatform.<name>`. */
  readonly example: string;
  /** The arguments with their types, descriptions and checks of single values. */
  readonly args: Args;
  /** The result, which never contains secrets. */
  readonly result: Result;
  /** Finds a problem with the combination of arguments. */
  readonly validate?: (args: z.output<Args>) => Problem | undefined;
  read(args: z.output<Args>, context: ResourceContext): Promise<z.output<Result>>;
}

/** A function of any kind: property names are strings, and `args` checks the values. */
export type AnyFunction = PlatformFunction<z.ZodObject, z.ZodObject>;

/** Erases the type parameters of a definition so that `lifecycle/` can handle all functions alike. */
export const platformFunction = <Args extends z.ZodObject, Result extends z.ZodObject>(
  definition: PlatformFunction<Args, Result>,
): AnyFunction => definition as unknown as AnyFunction;
