import type { z } from "zod";
import type { Group } from "../contract/group";
import type { ListCache, Recent } from "./cache/list-cache";
import type { Client } from "./http/client";
import { organizationUnseen } from "./http/organization-unseen";
import { organizationIdMismatch, organizationIdUnconfirmed, UNREADABLE_ORGANIZATION } from "./messages";
import { isRefusal, Refusal } from "./refusal";

type GroupRecord = z.output<typeof Group>;

/** Configured facts about an organization that has not been looked up yet. */
interface Given {
  /** UUID of the organization, from the user's settings. */
  readonly id?: string | undefined;
  /** UUID of the group of a group-scoped credential, which may not read the organization's record. */
  readonly groupId?: string | undefined;
}

/** The configured organization: its UUID, and its groups by UUID and name. */
export class Organization {
  readonly #given: Given;
  readonly #lists: ListCache;
  #id: Promise<string> | undefined;

  constructor(
    readonly slug: string,
    given: Given,
    lists: ListCache,
  ) {
    this.#given = given;
    this.#lists = lists;
  }

  /** Returns the organization's UUID, requested once. Failures are not cached. */
  id(client: Client): Promise<string> {
    this.#id ??= this.#find(client).catch((failure) => {
      this.#id = undefined;
      throw failure;
    });
    return this.#id;
  }

  /** Returns the platform's UUID, because a wrong one would be stored with every resource that is created. */
  async #find(client: Client): Promise<string> {
    const { id, groupId } = this.#given;
    if (id !== undefined && groupId !== undefined) return this.#confirm(id, groupId, client);
    const found = await this.#retrieve(client);
    if (id === undefined || id === found) return found;
    throw new Refusal("conflict", organizationIdMismatch(this.slug, id, found));
  }

  /** Checks the UUID by reading the token's group, which is visible only in its own organization. */
  async #confirm(id: string, groupId: string, client: Client): Promise<string> {
    try {
      await client.retrieveGroupById({ organizationId: id, groupId });
    } catch (cause) {
      if (isRefusal(cause, "unseen"))
        throw new Refusal("conflict", { ...organizationIdUnconfirmed(this.slug, id), cause });
      // A token without the scope `read` may not read its group.
      if (!isRefusal(cause, "forbidden", "absent")) throw cause;
    }
    return id;
  }

  async #retrieve(client: Client): Promise<string> {
    try {
      return (await client.retrieveOrganization({ organizationSlug: this.slug })).organization.id;
    } catch (cause) {
      if (isRefusal(cause, "absent"))
        throw new Refusal(
          "unseen",
          organizationUnseen({ organizationSlug: this.slug }, { answer: cause.message, cause }),
        );
      if (!isRefusal(cause, "forbidden")) throw cause;
      throw new Refusal("forbidden", { tried: cause.message, ...UNREADABLE_ORGANIZATION, cause });
    }
  }

  /**
   * Returns the live group with this UUID or name, or `undefined`. Requests the list again if the cached one lacks the
   * group.
   */
  async group(uuidOrName: string, client: Client): Promise<GroupRecord | undefined> {
    const find = (groups: readonly GroupRecord[]) =>
      groups.find(({ uuid }) => uuid === uuidOrName) ?? groups.find(({ name }) => name === uuidOrName);
    const known = this.#lists.known<readonly GroupRecord[]>("groups");
    // Renews without awaiting first, so that simultaneous callers share one request.
    if (known === undefined) return find(await this.groups(client));
    const current = ({ items, isCurrent }: Recent<readonly GroupRecord[]>) => {
      const found = find(items);
      return found && isCurrent(found.uuid, found.name) ? found : undefined;
    };
    const found = current(await known);
    if (found) return found;
    // Resources created in a new group all look it up at the same time and share one more request.
    const joined = await this.#lists.join("groups", () => this.#listGroups(client));
    return current(joined) ?? find(await this.groups(client));
  }

  /** Returns every live group, from a list at most five seconds old. */
  async recentGroups(client: Client): Promise<readonly GroupRecord[]> {
    return (await this.#lists.recent("groups", () => this.#listGroups(client))).items;
  }

  /** Returns every live group, requested now. */
  async groups(client: Client): Promise<readonly GroupRecord[]> {
    return (await this.#lists.renew("groups", () => this.#listGroups(client))).items;
  }

  async #listGroups(client: Client): Promise<readonly GroupRecord[]> {
    return (await client.listGroups({ organizationSlug: this.slug })).groups;
  }
}
