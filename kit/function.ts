import type { z } from "zod";
import type { ResourceContext } from "./context";
import type { Problem } from "./field";

/** Defines a function that programs can call. Functions only read data; they never change anything or issue tokens. */
export interface PlatformFunction<
  Args extends z.ZodObject,
  Result extends z.ZodObject,
  P = unknown,
  Operation extends string = string,
> {
  /** Functions have the tokens `<provider>:index:<name>`. */
  readonly name: string;
  /** Describes the function to users in one or two sentences. */
  readonly description: string;
  /** The operations that the caller needs permission for, if the provider names its operations. */
  readonly reads?: readonly Operation[];
  /** The arguments, with their types, descriptions and checks. */
  readonly args: Args;
  /** The result of the function. It never contains secrets. */
  readonly result: Result;
  readonly validate?: (args: z.output<Args>) => Problem | undefined;
  read(args: z.output<Args>, context: ResourceContext<P>): Promise<z.output<Result>>;
}

/** A function of any kind. Its arguments have no static types, so the schema `args` checks the values. */
export type AnyFunction<Operation extends string = string> = PlatformFunction<
  z.ZodObject,
  z.ZodObject,
  unknown,
  Operation
> & {
  readonly reads: readonly Operation[];
};
