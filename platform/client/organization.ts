import type { z } from "zod";
import type { Group } from "../contract/group";
import type { ListCache, Recent } from "./cache/list-cache";
import type { Client } from "./http/client";
import { organizationUnseen } from "./http/organization-unseen";
import { isRefusal, Refusal } from "./refusal";

type GroupRecord = z.output<typeof Group>;

const WHERE_ID_IS_SET = "Check `dbplatform:organizationId` (or DBPLATFORM_ORGANIZATION_ID)";

/** Settings that identify an organization before it is looked up. */
interface Given {
  /** Its UUID, as the user says. */
  readonly id?: string | undefined;
  /** UUID of the group that the credential is pinned to; such a credential may not read the organization's record. */
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

  /** The organization's UUID, asked for once. A failure is not remembered. */
  id(client: Client): Promise<string> {
    this.#id ??= this.#find(client).catch((failure) => {
      this.#id = undefined;
      throw failure;
    });
    return this.#id;
  }

  /** The UUID as the platform has it. A wrong one would be remembered with everything that is made. */
  async #find(client: Client): Promise<string> {
    const { id, groupId } = this.#given;
    if (id !== undefined && groupId !== undefined) return this.#confirm(id, groupId, client);
    const found = await this.#retrieve(client);
    if (id === undefined || id === found) return found;
    throw new Refusal("conflict", {
      answer: `organizationId is ${id}, but organization "${this.slug}" has the UUID ${found}`,
      advice: `${WHERE_ID_IS_SET}: write ${found}, or remove the setting, since this API token may look it up`,
    });
  }

  /** A group-scoped token sees its own group in its own organization alone. */
  async #confirm(id: string, groupId: string, client: Client): Promise<string> {
    try {
      await client.retrieveGroupById({ organizationId: id, groupId });
    } catch (cause) {
      if (isRefusal(cause, "unseen"))
        throw new Refusal("conflict", {
          answer: `the setting organizationId says ${id}, and that is not the UUID of organization "${this.slug}", or this group-scoped API token is for another organization`,
          advice: `${WHERE_ID_IS_SET}, \`dbplatform:organization\` and the token; with an organization-level token, the function getOrganization tells the UUID`,
          cause,
        });
      // A token without the scope `read` may not ask.
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
      throw new Refusal("forbidden", {
        tried: cause.message,
        answer: "this credential may not read the organization's record",
        advice: "For a group-scoped token, set its UUID: `pulumi config set dbplatform:organizationId <uuid>`",
        cause,
      });
    }
  }

  /** The live group with this UUID or name, or `undefined`. A group that the last list lacks is asked for again. */
  async group(uuidOrName: string, client: Client): Promise<GroupRecord | undefined> {
    const find = (groups: readonly GroupRecord[]) =>
      groups.find(({ uuid }) => uuid === uuidOrName) ?? groups.find(({ name }) => name === uuidOrName);
    const known = this.#lists.known<readonly GroupRecord[]>("groups");
    // Not awaited where there is nothing, so that callers at the same time share one request.
    if (known === undefined) return find(await this.groups(client));
    const current = ({ items, isCurrent }: Recent<readonly GroupRecord[]>) => {
      const found = find(items);
      return found && isCurrent(found.uuid, found.name) ? found : undefined;
    };
    const found = current(await known);
    if (found) return found;
    // Everything that is created in a new group looks it up at the same time, and shares one more request.
    const joined = await this.#lists.join("groups", () => this.#listGroups(client));
    return current(joined) ?? find(await this.groups(client));
  }

  /** Every live group, as the last list of at most five seconds ago shows them. */
  async recentGroups(client: Client): Promise<readonly GroupRecord[]> {
    return (await this.#lists.recent("groups", () => this.#listGroups(client))).items;
  }

  /** Every live group, asked for now. */
  async groups(client: Client): Promise<readonly GroupRecord[]> {
    return (await this.#lists.renew("groups", () => this.#listGroups(client))).items;
  }

  async #listGroups(client: Client): Promise<readonly GroupRecord[]> {
    return (await client.listGroups({ organizationSlug: this.slug })).groups;
  }
}
