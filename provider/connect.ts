import type { z } from "zod";
import type { Call } from "../kit/lifecycle/call";
import type { Connected, ConnectionOrigin, Home } from "../kit/provider";
import { unlessRefused } from "../kit/refusal";
import { version } from "../package.json";
import { lazy } from "../platform/contract/lazy";
import { AuditLog } from "./client/audit-log/audit-log";
import type { Deed, Search } from "./client/audit-log/authors";
import { ListCache } from "./client/cache/list-cache";
import { unverifiedCredential } from "./client/credential";
import { type ConnectionOptions, HttpConnection, type Limits } from "./client/http/client";
import { Organization } from "./client/organization";
import { organizationClient } from "./client/organization-client";
import { SqlConnection } from "./client/sql";
import { dataLost, otherOrganization, UNRESTRICTED_TOKEN } from "./messages";
import type { Platform } from "./platform";
import { PUBLIC_ADDRESS, type settings } from "./settings";

/** The maximum time, in milliseconds, that a look-up which only improves a message may delay a preview. */
const LOOK_UP_TIMEOUT_MS = 5_000;

/** How long the client waits: before its first retry, and for an answer. */
type Patience = Pick<ConnectionOptions, "firstWaitMs" | "answerTimeoutMs">;

/** Connects to the platform. Everything that the calls share is here: the connection and the caches. */
export function connect(
  { organization: slug, apiToken, baseUrl, organizationId, driftDetection }: z.output<(typeof settings)["schema"]>,
  origin: ConnectionOrigin,
  patience: Patience = {},
): Connected<Platform> {
  const lists = new ListCache();
  const auditLog = new AuditLog();
  const credential = unverifiedCredential(apiToken);
  const { groupId } = credential;
  const known = { slug, given: { id: organizationId, groupId }, lists };
  const connection = new HttpConnection({
    baseUrl,
    apiToken,
    userAgent: `pulumi-dbplatform/${version}`,
    ...patience,
    onWrite: (operation, request) => lists.wrote(operation, request),
  });
  const { clock } = connection;
  const sql = new SqlConnection(connection, baseUrl, baseUrl === PUBLIC_ADDRESS);

  async function authorOf(search: Search, { signal, ...limits }: Limits): Promise<Deed | undefined> {
    // A group-scoped token can never read the audit log (§5 rule 7).
    if (groupId !== undefined) return undefined;
    const client = connection.client({ ...limits, signal: withinLookUpTime(signal), retries: false });
    return auditLog.find(search, {
      fetch: (query) => client.listAuditLogs({ organizationSlug: slug, query }),
      now: () => clock.now(),
    });
  }

  function open({ signal, deadline, log }: Call) {
    const limits = { signal, ...(deadline ? { deadline } : {}) };
    const bind = (token?: string, within: Limits = limits) => {
      const client = connection.client(within, token);
      const organization = new Organization(known, client);
      return { organization, api: organizationClient(organization, client) };
    };
    // The client is created on first use, because most calls to Diff send no request.
    const bound = lazy(bind);
    const platform: Platform = {
      get api() {
        return bound().api;
      },
      get organization() {
        return bound().organization;
      },
      get apiToUndo() {
        return bind(undefined, { ...limits, signal: new AbortController().signal }).api;
      },
      apiWith: (token) => bind(token).api,
      lists,
      credential,
      authenticatesWith: ({ id, token }) => token === apiToken || id === credential.id,
      clock,
      openDatabase: (database, using) => sql.open(database, using, limits),
      // Only messages mention the author of a change, so the author is not looked up if no messages can be shown.
      authorOf: async (search) => (log ? authorOf(search, limits) : undefined),
    };
    const home: Home = {
      output: "organizationId",
      id: () => platform.organization.id(),
      other: (owner, id) =>
        otherOrganization({ organizationId: owner, configured: { slug, id }, isRecorded: origin.isRecorded }),
      lost: async (owner) =>
        (await connection.isReferenceWithout(owner, withinLookUpTime(signal)))
          ? { answer: dataLost({ organizationId: owner, baseUrl, providerUrn: origin.urn }) }
          : undefined,
    };
    // The clock is right only after a response, so a request is sent if there was none.
    async function now(): Promise<number> {
      if (!clock.wasHeard) await home.id().catch(unlessRefused);
      return clock.now();
    }
    return { platform, home, now };
  }

  return {
    account: slug,
    readsBeforeUpdate: driftDetection !== "on-refresh",
    warning: credential.unrestricted ? UNRESTRICTED_TOKEN : undefined,
    open,
    close: () => connection.close(),
  };
}

const withinLookUpTime = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS)]);
