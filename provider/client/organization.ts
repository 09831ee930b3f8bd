import type { z } from "zod";
import { isRefusal, Refusal } from "../../kit/refusal";
import type { GroupSchema } from "../../platform/contract/group";
import type { ListCache, RecentList } from "./cache/list-cache";
import { organizationIdMismatch, organizationIdUnconfirmed, UNREADABLE_ORGANIZATION } from "./messages";
import type { Client } from "./organization-client";
import { organizationUnseen } from "./wording";

type GroupRecord = z.output<ReturnType<typeof GroupSchema>>;
type OrganizationRecord = Awaited<ReturnType<Client["retrieveOrganization"]>>["organization"];

interface Given {
  readonly id?: string | undefined;
  /** UUID of the token's group, if the token is group-scoped. Such a token cannot read the organization's record. */
  readonly groupId?: string | undefined;
}

/** The provider's knowledge of the configured organization. All calls of one configured provider share it. */
export interface KnownOrganization {
  readonly slug: string;
  readonly given: Given;
  readonly lists: ListCache;
  id?: Promise<string> | undefined;
  record?: OrganizationRecord;
  plannedRecovery?: boolean;
}

/** Looks up the UUID of the configured organization, and its groups by UUID or name. */
export class Organization {
  readonly #known: KnownOrganization;
  readonly #client: Client;

  constructor(known: KnownOrganization, client: Client) {
    this.#known = known;
    this.#client = client;
  }

  get slug(): string {
    return this.#known.slug;
  }

  /** Whether this preview plans to enable recovery, or to disable it; `undefined` if it leaves that as it is. */
  get plannedRecovery(): boolean | undefined {
    return this.#known.plannedRecovery;
  }

  planRecovery(isEnabled: boolean): void {
    this.#known.plannedRecovery = isEnabled;
  }

  /** Returns the organization's UUID, which is requested only once. Errors are not cached. */
  id(): Promise<string> {
    this.#known.id ??= this.#find().catch((failure) => {
      this.#known.id = undefined;
      throw failure;
    });
    return this.#known.id;
  }

  /**
   * Returns the organization's most recently received record. Sends requests only if the UUID has not been looked up
   * yet. Returns `undefined` if no record has been received, for example because the token is group-scoped and cannot
   * read the record.
   */
  async known(): Promise<OrganizationRecord | undefined> {
    await this.id();
    return this.#known.record;
  }

  /** Requests the organization's record. */
  async record(): Promise<OrganizationRecord> {
    return this.note((await this.#client.retrieveOrganization({ organizationSlug: this.slug })).organization);
  }

  /** Stores the record, so that `known` returns it. */
  note(record: OrganizationRecord): OrganizationRecord {
    this.#known.record = record;
    return record;
  }

  /**
   * Asks the platform for the UUID, and rejects a configured UUID that differs, because a wrong UUID would be stored
   * with every new resource.
   */
  async #find(): Promise<string> {
    const { id, groupId } = this.#known.given;
    if (id !== undefined && groupId !== undefined) return this.#confirm(id, groupId);
    const found = await this.#retrieve();
    if (id === undefined || id === found) return found;
    throw new Refusal(
      "conflict",
      organizationIdMismatch({ organization: this.slug, organizationId: id, actualId: found }),
    );
  }

  /**
   * Checks the configured UUID by reading the token's group, because a group can be read only in its own organization.
   */
  async #confirm(id: string, groupId: string): Promise<string> {
    try {
      await this.#client.retrieveGroupById({ organizationId: id, groupId });
    } catch (cause) {
      if (isRefusal(cause, "unseen"))
        throw new Refusal("conflict", {
          ...organizationIdUnconfirmed({ organization: this.slug, organizationId: id }),
          cause,
        });
      // A 403 or 404 response does not prove that the UUID is wrong: a token without the scope `read` cannot read its
      // own group.
      if (!isRefusal(cause, "forbidden", "absent")) throw cause;
    }
    return id;
  }

  async #retrieve(): Promise<string> {
    try {
      return (await this.record()).id;
    } catch (cause) {
      if (isRefusal(cause, "absent"))
        throw new Refusal(
          "unseen",
          organizationUnseen({ organizationSlug: this.slug }, { answer: cause.message, cause }),
        );
      if (!isRefusal(cause, "forbidden") || this.#known.given.groupId === undefined) throw cause;
      throw new Refusal("forbidden", { ...UNREADABLE_ORGANIZATION, cause });
    }
  }

  /**
   * Returns the live group with this UUID or name, or `undefined`. If the cached list does not contain the group, the
   * list is requested again.
   */
  async group(uuidOrName: string): Promise<GroupRecord | undefined> {
    const find = (groups: readonly GroupRecord[]) =>
      groups.find(({ uuid }) => uuid === uuidOrName) ?? groups.find(({ name }) => name === uuidOrName);
    const known = this.#known.lists.known<readonly GroupRecord[]>("groups");
    // There must be no `await` before this request, so that simultaneous callers share one request.
    if (known === undefined) return find(await this.groups());
    const current = ({ items, isCurrent }: RecentList<readonly GroupRecord[]>) => {
      const found = find(items);
      return found && isCurrent(found.uuid, found.name) ? found : undefined;
    };
    const found = current(await known);
    if (found) return found;
    // Resources in a new group all look up the group at the same time, so they share one request.
    const joined = await this.#known.lists.join("groups", () => this.#listGroups());
    return current(joined) ?? find(await this.groups());
  }

  /** Returns all live groups. */
  async groups(maxAge?: "seconds"): Promise<readonly GroupRecord[]> {
    return (await this.groupList(maxAge)).items;
  }

  /** Returns the list of all live groups, which knows what this process has changed since. */
  groupList(maxAge?: "seconds"): Promise<RecentList<readonly GroupRecord[]>> {
    return this.#known.lists.get("groups", () => this.#listGroups(), maxAge);
  }

  async #listGroups(): Promise<readonly GroupRecord[]> {
    return (await this.#client.listGroups({ organizationSlug: this.slug })).groups;
  }
}
