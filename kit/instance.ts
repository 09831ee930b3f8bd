import { AuditLog } from "../provider/client/audit-log/audit-log";
import type { Deed, Search } from "../provider/client/audit-log/authors";
import { ListCache } from "../provider/client/cache/list-cache";
import { type Credential, credentialOf } from "../provider/client/credential";
import { type Client, Connection, type ConnectionOptions, type Limits } from "../provider/client/http/client";
import { Organization } from "../provider/client/organization";
import { type SettingsOrigin, UNRESTRICTED_TOKEN } from "../provider/messages";
import { VERSION } from "../provider/version";
import type { Call } from "./lifecycle/call";
import type { Context } from "./lifecycle/context";
import type { Properties } from "./lifecycle/properties";
import { type SharedObjects, UpdateSession } from "./lifecycle/session";
import { resolveSettings } from "./settings";

/** The maximum time, in milliseconds, that a look-up which only improves a message may delay a preview. */
const LOOK_UP_TIMEOUT_MS = 5_000;

type Patience = Pick<ConnectionOptions, "firstWaitMs" | "answerTimeoutMs">;

/** The origin of the settings. */
interface Origin extends SettingsOrigin {
  /** URN of the provider's resource. Undefined if nobody knows it. */
  readonly urn: string;
}

/** Holds everything that belongs to one configured provider: the settings, the connection and the caches. */
export class Instance {
  readonly organization: Organization;
  readonly credential: Credential;
  /** Whether the engine should read every resource before each preview and update. */
  readonly readsBeforeUpdate: boolean;
  readonly session: UpdateSession;
  readonly #connection: Connection;
  readonly #lists = new ListCache();
  readonly #auditLog = new AuditLog();
  readonly #provider: Context["provider"];

  /** @throws MissingSettings if a required setting is missing; WrongSettings if a setting is invalid. */
  constructor(
    given: Properties,
    environment: NodeJS.ProcessEnv,
    {
      urn,
      isRecorded,
      isNew,
      managedAgain,
      ...patience
    }: Partial<Origin & Patience> & { readonly managedAgain?: SharedObjects | undefined } = {},
  ) {
    this.session = new UpdateSession(managedAgain);
    const resolved = resolveSettings(given, environment, { isRecorded, isNew });
    const { organization, apiToken, baseUrl, organizationId, driftDetection } = resolved;
    this.#provider = { urn, isRecorded: isRecorded ?? true, baseUrl };
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
      provider: this.#provider,
      isReferenceWithout: (organizationId) => connection.isReferenceWithout(organizationId, soon(signal)),
      platform: {
        // The client is created on first use, because most calls to Diff send no request.
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
        leavesStack: (type, id) => this.session.leavesStack(type, id),
        planned: (type, name) => this.session.planned(type, name),
        restores: (type, id) => this.session.hasRestored(type, id),
        once: (what, load) => this.session.once(what, load),
        // Only messages mention the author of a change, so the author is not looked up if no messages can be shown.
        authorOf: async (search) => (log ? this.#authorOf(search, limits) : undefined),
        urn,
        warn: (message) => log?.("warning", message),
        inform: (message) => log?.("info", message),
      },
    };
  }

  async #authorOf(search: Search, { signal, ...limits }: Limits): Promise<Deed | undefined> {
    // A group-scoped token can never read the audit log (§5 rule 7).
    if (this.credential.groupId !== undefined) return undefined;
    const client = this.#connection.client({ ...limits, signal: soon(signal), retries: false });
    return this.#auditLog.find(search, {
      fetch: (query) => client.listAuditLogs({ organizationSlug: this.organization.slug, query }),
      now: () => this.#connection.clock.now(),
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

const soon = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS)]);
