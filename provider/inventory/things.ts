import type { AnyResource } from "../../kit/definition";
import type { Listed } from "../../kit/results";
import type { DeletedSubject } from "../client/audit-log/authors";
import type { Author } from "../facts";
import { group } from "../resources/group/group";

interface Recorded {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** An object of the platform that a stack can manage. */
export interface Thing extends Listed {
  readonly resource: AnyResource;
  /** The object that contains this object, for example the group of a database. */
  readonly container?: Thing | undefined;
  /** Inputs and outputs from another provider's state. Present only for objects that the platform does not show. */
  readonly recorded?: Recorded | undefined;
}

/** A deleted group or database that can be restored. */
export interface DeletedThing extends Thing {
  /** RFC 3339 */
  readonly deletedAt: string;
  /** Present if a database was deleted together with its group (RFC 3339). */
  readonly groupDeletedAt?: string | undefined;
  /** The deleted object itself, or its group if both were deleted together. The audit log names this one. */
  readonly subject: DeletedSubject;
  /** Who deleted the object. Absent unless the audit log proves it. */
  readonly by?: Author | undefined;
}

export const isGroup = ({ resource }: Thing): boolean => resource === group;
