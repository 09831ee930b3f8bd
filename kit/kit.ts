import { define } from "./define";
import { type InputFields, type Kinds, kinds, type OutputFields } from "./field";
import type { Inputs, Resource, Spec, State } from "./resource";

/** What an author defines resources with. */
export interface Kit<P> {
  readonly field: Kinds<P>;
  /** Defines a resource type. The compiler checks that the functions fit the properties. */
  resource<A extends InputFields, O extends OutputFields>(spec: Spec<P, A, O>): Resource<Inputs<A>, State<A, O>>;
}

/**
 * Returns the kit for one platform.
 *
 * @typeParam P What `connect` returns: the client with which resources reach their platform. Given once, here, because
 *   TypeScript infers either all type parameters of a call or none.
 */
export const kit = <P>(): Kit<P> => ({ field: kinds as unknown as Kinds<P>, resource: define });
