import type { Organization } from "./organizations";

/** The part of the data that a caller can see. Every look-up takes it, so that none finds data outside. */
export interface AccessScope {
  readonly organization: Organization;
  /** Present for a group-scoped credential: only this group and its content. */
  readonly groupId?: string;
  /** Present for members and viewers: only the tokens that this user minted (§5 rule 9). */
  readonly tokensOf?: string;
}

/** An `AccessScope` as values of a query. Without `onlyGroup`: the whole organization. */
export interface Within {
  readonly organizationId: string;
  readonly onlyGroup?: string;
}

export const within = ({ organization, groupId }: AccessScope): Within => ({
  organizationId: organization.id,
  onlyGroup: groupId,
});
