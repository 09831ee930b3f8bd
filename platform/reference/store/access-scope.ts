import type { Organization } from "./organizations";

/** What a caller can see. Every look-up asks for it, so that none finds what lies outside. */
export interface AccessScope {
  readonly organization: Organization;
  /** Present for a group-scoped credential: only this group and what is in it. */
  readonly groupId?: string;
  /** Present for members and viewers: only the tokens that this user minted (§5 rule 9). */
  readonly tokensOf?: string;
}

/** The same as values of a query. Without `onlyGroup`: the whole organization. */
export interface Within {
  readonly organizationId: string;
  readonly onlyGroup?: string;
}

export const within = ({ organization, groupId }: AccessScope): Within => ({
  organizationId: organization.id,
  onlyGroup: groupId,
});
