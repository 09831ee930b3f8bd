import type { z } from "zod";
import type { Group } from "../contract/group";
import type { Client } from "./client";
import { isRefusal, Refusal } from "./refusal";

type GroupRecord = z.output<typeof Group>;

const FRESH_MS = 5_000;

/** What is looked up once for one configured organization: its UUID, and the names of its groups. */
export class Organization {
  #id: Promise<string> | undefined;
  #groups: { at: number; list: Promise<readonly GroupRecord[]> } | undefined;

  /** @param id Its UUID, where that may not be asked for. */
  constructor(
    readonly slug: string,
    id: string | undefined,
  ) {
    this.#id = id === undefined ? undefined : Promise.resolve(id);
  }

  /** The organization's UUID, asked for once. A failure is not remembered. */
  id(client: Client): Promise<string> {
    this.#id ??= this.#retrieve(client).catch((failure) => {
      this.#id = undefined;
      throw failure;
    });
    return this.#id;
  }

  async #retrieve(client: Client): Promise<string> {
    try {
      return (await client.retrieveOrganization({ organizationSlug: this.slug })).organization.id;
    } catch (cause) {
      if (isRefusal(cause, "forbidden"))
        throw new Refusal("forbidden", {
          tried: cause.message,
          answer: "this credential may not read the organization's record",
          advice: "For a group-scoped token, set its UUID: `pulumi config set dbplatform:organizationId <uuid>`",
          cause,
        });
      if (isRefusal(cause, "absent"))
        throw new Refusal("absent", {
          tried: cause.message,
          answer: `this credential sees no organization "${this.slug}"`,
          advice:
            "Check `dbplatform:organization` (or DBPLATFORM_ORGANIZATION) and which organization the API token is for",
          cause,
        });
      throw cause;
    }
  }

  /** The live group with this UUID or name, or `undefined`. A name that a list of a moment ago lacks is asked for again. */
  async group(uuidOrName: string, client: Client): Promise<GroupRecord | undefined> {
    const find = (groups: readonly GroupRecord[]) =>
      groups.find(({ uuid }) => uuid === uuidOrName) ?? groups.find(({ name }) => name === uuidOrName);
    const known = this.#groups && Date.now() - this.#groups.at < FRESH_MS ? find(await this.#groups.list) : undefined;
    return known ?? find(await this.groups(client));
  }

  /** To be called when a group was changed. */
  forgetGroups(): void {
    this.#groups = undefined;
  }

  /** Every live group, asked for now. */
  groups(client: Client): Promise<readonly GroupRecord[]> {
    const list = client.listGroups({ organizationSlug: this.slug }).then(({ groups }) => groups);
    this.#groups = { at: Date.now(), list };
    list.catch(() => {
      this.#groups = undefined;
    });
    return list;
  }
}
