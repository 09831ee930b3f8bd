import type { z } from "zod";
import type { ResourceContext } from "./context";
import type { Problem } from "./traits";

/** Something that a program can ask. It reads, and nothing else: neither changes nor mints anything. */
interface PlatformFunction<Args extends z.ZodObject, Result extends z.ZodObject> {
  /** `dbplatform:index:<name>` */
  readonly name: string;
  /** For people: one or two sentences. */
  readonly description: string;
  /** TypeScript that calls the function as `dbplatform.<name>`. */
  readonly example: string;
  /** What a program gives: types, descriptions, and what is wrong with a single value. */
  readonly args: Args;
  /** What it gets: never anything secret. */
  readonly result: Result;
  /** What is wrong with the arguments together. */
  readonly validate?: (args: z.output<Args>) => Problem | undefined;
  read(args: z.output<Args>, platform: ResourceContext): Promise<z.output<Result>>;
}

/** Every function: property names are strings here, and `args` checks the values. */
export type AnyFunction = PlatformFunction<z.ZodObject, z.ZodObject>;

/** Forgets what is special about one, so that `lifecycle/` can serve them all. */
export const platformFunction = <Args extends z.ZodObject, Result extends z.ZodObject>(
  definition: PlatformFunction<Args, Result>,
): AnyFunction => definition as unknown as AnyFunction;
