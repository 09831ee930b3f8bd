import type { z } from "zod";
import type { AnyResource, ManagedState, ResourceDefinition } from "./definition";
import type { AnyFunction, PlatformFunction } from "./function";
import { shownOnceBy, upheldBy } from "./outputs";

/**
 * Returns what defines the resources and functions of a provider. The type of `context.platform` is given here, because
 * TypeScript infers either all type parameters of a call or none.
 *
 * @typeParam P What the provider offers its resources and functions in `context.platform`.
 */
export const kit = <P>() => ({
  resource: <Args extends object, State extends Args & ManagedState>(
    definition: ResourceDefinition<Args, State, P>,
  ): AnyResource => ({
    ...(definition as unknown as AnyResource),
    shownOnce: shownOnceBy(definition.state),
    upheld: upheldBy(definition.state),
  }),
  platformFunction: <Args extends z.ZodObject, Result extends z.ZodObject>(
    definition: PlatformFunction<Args, Result, P>,
  ): AnyFunction => definition as unknown as AnyFunction,
});
