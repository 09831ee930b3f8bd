import type { OrganizationRow } from "../store/schema";

/**
 * The part of the data that a caller can see. Every lookup takes an `AccessScope`, so it cannot return data outside the
 * scope.
 */
export interface AccessScope {
  readonly organization: OrganizationRow;
  /** UUID of the only group that a group-scoped credential can see. */
  readonly groupId?: string;
  /**
   * UUID of the user whose tokens are visible. Present for members and viewers, who see only their own tokens (§5 rule
   * 9).
   */
  readonly tokensOf?: string;
}
