import type { AnyResource } from "../resource/definition";
import type { Listed } from "../resource/results";

/** Something that is on the platform and can be in a stack. */
export interface Thing extends Listed {
  readonly resource: AnyResource;
  /** What it is in. */
  readonly holder?: Thing | undefined;
}
