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

/** Everything that belongs to one configured provider. */
export class Instance {
  readonly organization: Organization;
  readonly credential: Credential;
  /** Whether the engine should read all resources before every preview and update. */
  readonly readsBeforeUpdate: boolean;
  readonly session = new UpdateSession();
  readonly #connection: Connection;
  readonly #lists = new ListCache();

  /** @throws MissingSettings, WrongSettings */
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

  /** Returns a warning about this configuration, to be shown once. */
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
        // Created when first used, because most comparisons send no request.
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
