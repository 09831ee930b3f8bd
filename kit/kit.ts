import type { z } from "zod";
import { define } from "./define";
import type { Resource } from "./definition";
import { type InputFields, type Kinds, kinds, type OutputFields } from "./field";
import type { AnyFunction, PlatformFunction } from "./function";
import type { Provider } from "./provider";
import type { Inputs, Spec, State } from "./resource";

/**
 * Returns what an author defines resources and functions with.
 *
 * @typeParam P What the provider offers its resources and functions in `context.platform`. Given once, here, because
 *   TypeScript infers either all type parameters of a call or none.
 * @typeParam Operation The names of the operations for which functions may need permission.
 */
export const kit = <P, Operation extends string = string>() => ({
  /** The kinds of properties. */
  field: kinds as unknown as Kinds<P>,
  /** Defines a resource type. The compiler checks that its functions fit its properties. */
  resource: <A extends InputFields, O extends OutputFields>(spec: Spec<P, A, O>): Resource<Inputs<A>, State<A, O>> =>
    define(spec),
  /** Defines a function. */
  platformFunction: <Args extends z.ZodObject, Result extends z.ZodObject>(
    definition: PlatformFunction<Args, Result, P, Operation>,
  ): AnyFunction<Operation> => ({ reads: [], ...definition }) as unknown as AnyFunction<Operation>,
  /** Defines the provider. The compiler checks that `connect` returns what resources and functions receive. */
  provider: <Settings extends z.ZodObject>(definition: Provider<P, Settings>): Provider<P, Settings> => definition,
});
