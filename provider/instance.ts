import type { Call } from "../kit/lifecycle/call";
import type { Context } from "../kit/lifecycle/context";
import type { Properties } from "../kit/lifecycle/properties";
import { Run, type SharedObjects } from "../kit/run";
import { lazy } from "../platform/contract/lazy";
import { AuditLog } from "./client/audit-log/audit-log";
import type { Deed, Search } from "./client/audit-log/authors";
import { ListCache } from "./client/cache/list-cache";
import { type Credential, credentialOf } from "./client/credential";
import { Connection, type ConnectionOptions, type Limits } from "./client/http/client";
import { type KnownOrganization, Organization } from "./client/organization";
import { inOrganization } from "./client/organization-client";
import { resolveSettings } from "./config";
import { type SettingsOrigin, UNRESTRICTED_TOKEN } from "./messages";
import type { Platform } from "./platform";
import { VERSION } from "./version";

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
  readonly organization: KnownOrganization;
  readonly credential: Credential;
  /** Whether the engine should read every resource before each preview and update. */
  readonly readsBeforeUpdate: boolean;
  readonly run: Run;
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
    this.run = new Run(managedAgain);
    const resolved = resolveSettings(given, environment, { isRecorded, isNew });
    const { organization, apiToken, baseUrl, organizationId, driftDetection } = resolved;
    this.#provider = { urn, isRecorded: isRecorded ?? true, baseUrl };
    this.credential = credentialOf(apiToken);
    const { groupId } = this.credential;
    this.organization = { slug: organization, given: { id: organizationId, groupId }, lists: this.#lists };
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
    return {
      run: this.run,
      provider: this.#provider,
      isReferenceWithout: (organizationId) => this.#connection.isReferenceWithout(organizationId, soon(signal)),
      platform: {
        platform: this.#platform(limits, log !== undefined),
        run: this.run,
        urn,
        warn: (message) => log?.("warning", message),
        inform: (message) => log?.("info", message),
      },
    };
  }

  /**
   * @param showsMessages Whether the user sees messages of this call. Only messages mention the author of a change, so
   *   otherwise the author is not looked up.
   */
  #platform(limits: Limits, showsMessages: boolean): Platform {
    const connection = this.#connection;
    const known = this.organization;
    const bind = (apiToken?: string) => {
      const client = connection.client(limits, apiToken);
      const organization = new Organization(known, client);
      return { organization, api: inOrganization(organization, client) };
    };
    // The client is created on first use, because most calls to Diff send no request.
    const bound = lazy(bind);
    return {
      get api() {
        return bound().api;
      },
      get organization() {
        return bound().organization;
      },
      apiWith: (apiToken) => bind(apiToken).api,
      lists: this.#lists,
      credential: this.credential,
      clock: connection.clock,
      authorOf: async (search) => (showsMessages ? this.#authorOf(search, limits) : undefined),
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
