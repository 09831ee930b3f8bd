import type { z } from "zod";
import type { Call } from "../kit/lifecycle/call";
import type { Connected, ConnectionOrigin, Home } from "../kit/provider";
import { unlessRefused } from "../kit/refusal";
import { AuditLog } from "./client/audit-log/audit-log";
import type { Deed, Search } from "./client/audit-log/authors";
import { ListCache } from "./client/cache/list-cache";
import { credentialOf } from "./client/credential";
import { type Client, Connection, type ConnectionOptions, type Limits } from "./client/http/client";
import { Organization } from "./client/organization";
import { ALSO_LOST, dataLost, otherOrganization, UNRESTRICTED_TOKEN } from "./messages";
import type { settings } from "./settings";
import { VERSION } from "./version";

/** The maximum time, in milliseconds, that a look-up which only improves a message may delay a preview. */
const LOOK_UP_TIMEOUT_MS = 5_000;

/** How long the client waits: before its first retry, and for an answer. */
type Patience = Pick<ConnectionOptions, "firstWaitMs" | "answerTimeoutMs">;

/** Connects to the platform. Everything that the calls share is here: the connection and the caches. */
export function connect(
  { organization: slug, apiToken, baseUrl, organizationId, driftDetection }: z.output<(typeof settings)["schema"]>,
  origin: ConnectionOrigin,
  patience: Patience = {},
): Connected {
  const lists = new ListCache();
  const auditLog = new AuditLog();
  const credential = credentialOf(apiToken);
  const { groupId } = credential;
  const organization = new Organization(slug, { id: organizationId, groupId }, lists);
  const connection = new Connection({
    baseUrl,
    apiToken,
    userAgent: `pulumi-dbplatform/${VERSION}`,
    ...patience,
    onWrite: (operation, request) => lists.wrote(operation, request),
  });
  const { clock } = connection;

  async function authorOf(search: Search, { signal, ...limits }: Limits): Promise<Deed | undefined> {
    // A group-scoped token can never read the audit log (§5 rule 7).
    if (groupId !== undefined) return undefined;
    const client = connection.client({ ...limits, signal: soon(signal), retries: false });
    return auditLog.find(search, {
      fetch: (query) => client.listAuditLogs({ organizationSlug: slug, query }),
      now: () => clock.now(),
    });
  }

  function open({ signal, deadline, log }: Call) {
    const limits = { signal, ...(deadline ? { deadline } : {}) };
    let client: Client | undefined;
    const platform = {
      // The client is created on first use, because most calls to Diff send no request.
      get client() {
        client ??= connection.client(limits);
        return client;
      },
      clientWith: (token: string) => connection.client(limits, token),
      organization,
      lists,
      credential,
      clock,
      // Only messages mention the author of a change, so the author is not looked up if no messages can be shown.
      authorOf: async (search: Search) => (log ? authorOf(search, limits) : undefined),
    };
    const home: Home = {
      output: "organizationId",
      id: () => organization.id(platform.client),
      other: (owner, id) => otherOrganization(owner, { slug, id }, origin.isRecorded),
      lost: async (owner) =>
        (await connection.isReferenceWithout(owner, soon(signal)))
          ? { explanation: dataLost(owner, baseUrl, origin.urn).answer, reference: ALSO_LOST }
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

const soon = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(LOOK_UP_TIMEOUT_MS)]);
