import type { AnyResource } from "../../kit/definition";
import type { Listed } from "../../kit/results";

/** An object that exists on the platform and can be managed by a stack. */
export interface Thing extends Listed {
  readonly resource: AnyResource;
  /** The object that contains this object, for example the group of a database. */
  readonly container?: Thing | undefined;
}
