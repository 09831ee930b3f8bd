import { ListCache } from "../platform/client/cache/list-cache";
import { type Credential, credentialOf } from "../platform/client/credential";
import { type Client, Connection, type ConnectionOptions } from "../platform/client/http/client";
import { Organization } from "../platform/client/organization";
import { resolveSettings } from "./config";
import type { Call } from "./lifecycle/call";
import type { Context } from "./lifecycle/context";
import type { Properties } from "./lifecycle/properties";
import { UpdateSession } from "./lifecycle/session";
import { UNRESTRICTED_TOKEN } from "./messages";
import { VERSION } from "./version";

export class Instance {
  readonly organization: Organization;
  readonly credential: Credential;
  /** Whether the engine should read every resource before each preview and update. */
  readonly readsBeforeUpdate: boolean;
  readonly session = new UpdateSession();
  readonly #connection: Connection;
  readonly #lists = new ListCache();

  /**
   * Configures a provider instance.
   *
   * @throws MissingSettings if a required setting is missing; WrongSettings if a setting is invalid.
   */
  constructor(
    given: Properties,
    environment: NodeJS.ProcessEnv,
    patience: Pick<ConnectionOptions, "firstWaitMs" | "answerTimeoutMs"> = {},
  ) {
    const { organization, apiToken, baseUrl, organizationId, driftDetection } = resolveSettings(given, environment);
    this.credential = credentialOf(apiToken);
    const { groupId } = this.credential;
    this.organization = new Organization(organization, { id: organizationId, groupId }, this.#lists);
    this.readsBeforeUpdate = driftDetection !== "on-refresh";
    this.#connection = new Connection({
      baseUrl,
      apiToken,
      userAgent: `pulumi-dbplatform/${VERSION}`,
      ...patience,
      onWrite: (operation, request) => this.#lists.wrote(operation, request),
    });
  }

  /** Returns a warning about the configured API token, to be shown once. */
  get warning(): string | undefined {
    return this.credential.unrestricted ? UNRESTRICTED_TOKEN : undefined;
  }

  context({ signal, deadline, urn, log }: Call): Context {
    const limits = { signal, ...(deadline ? { deadline } : {}) };
    const connection = this.#connection;
    let client: Client | undefined;
    return {
      session: this.session,
      platform: {
        // The client is created on first use, because most comparisons send no request.
        get client() {
          client ??= connection.client(limits);
          return client;
        },
        clientWith: (apiToken) => connection.client(limits, apiToken),
        organization: this.organization,
        lists: this.#lists,
        credential: this.credential,
        clock: connection.clock,
        names: this.session.names,
        inStack: (type, id) => this.session.isInStack(type, id),
        planned: (type, name) => this.session.planned(type, name),
        once: (what, load) => this.session.once(what, load),
        urn,
        warn: (message) => log("warning", message),
        inform: (message) => log("info", message),
      },
    };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
