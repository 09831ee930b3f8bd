import { randomBytes } from "node:crypto";
import { REFERENCE_SQL } from "../contract/organization";
import { isLoopback } from "./control/guard";
import { methodsOf } from "./control/methods";
import { Signer } from "./credentials/signer";
import { type Fault, FaultRules, Faults } from "./faults/faults";
import { application } from "./http/application";
import { type HttpServer, listen } from "./http/listen";
import { randomIds, repeatableIds } from "./ids";
import { Journal } from "./journal/journal";
import { logger } from "./journal/log";
import { deterministicOnPublicHost, KEY_UNUSABLE } from "./messages";
import { orClosed } from "./or-closed";
import type { ReferenceApi, ReferenceApiOptions } from "./reference-api";
import { readContent } from "./seed/content";
import { DEFAULT_SEED } from "./seed/default";
import { insertSeedAndCredentials } from "./seed/insert";
import type { CompleteSeed, Seed } from "./seed/seed";
import { readRows, replaceRows } from "./seed/store-rows";
import type { Services } from "./services";
import type { Snapshots } from "./snapshots/snapshots";
import type { SqlServer } from "./sql/server";
import { MEMORY, openStore, storeOpeningError } from "./store/open";
import type { Store } from "./store/store";
import { Clock } from "./time/clock";

/** Returns whether a key can be sent in a header, and is too long to guess. */
const isUsableKey = (key: string): boolean => /^[\x21-\x7e]{16,}$/.test(key);

export type * from "./reference-api";

export interface OpenReferenceApi extends ReferenceApi {
  readonly store: Store;
  readonly own: InMemoryState;
}

/** In-memory state that several servers in one process can share. */
type InMemoryState = Pick<Services, "journal" | "faults">;

const DEFAULT_HOST = "127.0.0.1";

export async function startReferenceApi(
  options: ReferenceApiOptions = {},
  own?: InMemoryState,
): Promise<OpenReferenceApi> {
  const { data = MEMORY, port = 0, host = DEFAULT_HOST, tls, deterministic } = options;
  if (options.key !== undefined && !isUsableKey(options.key)) throw new Error(KEY_UNUSABLE);
  if (deterministic && !isLoopback(host)) throw new Error(deterministicOnPublicHost({ host }));
  // Loads the SQL server only if an option asks for it, because most servers do not need it.
  const isSql = options.sql || options.sqlFolder !== undefined;
  const sql = isSql ? { ...(await import("./sql/open.js")), ...(await import("./http/sql-sockets.js")) } : undefined;
  sql?.assertCanOpen(options);
  // Reads the seed and the rules first, so that errors in them are reported before anything is changed.
  const seed = options.seed === undefined ? DEFAULT_SEED : await readSeed(options.seed);
  const rules = await readContent(options.faults ?? [], FaultRules, "faults");
  // Listens before storing anything. If the port is taken, the data stays empty, so the next startup still inserts the
  // seed and prints its tokens.
  const listening = await listen({
    port,
    host,
    tls,
    ...(sql && tls && { isTunnelled: sql.isDatabaseHost }),
    ...(sql && { opensSocket: sql.opensSqlSocket }),
  });
  return orClosed(listening, async () => {
    const store = await openStore(data);
    try {
      return await orClosed(store, () =>
        startOpenedServer({ listening, store, seed, rules, own, opening: sql }, options),
      );
    } catch (thrown) {
      throw await storeOpeningError(data, thrown);
    }
  });
}

async function readSeed(given: string | Seed): Promise<CompleteSeed> {
  // Loads the schema only when needed, because the server usually starts without a seed.
  const { Seed } = await import("./seed/seed.js");
  return readContent(given, Seed, "seed");
}

interface OpenedParts {
  readonly listening: HttpServer;
  readonly store: Store;
  readonly seed: CompleteSeed;
  readonly rules: readonly Fault[];
  readonly own: InMemoryState | undefined;
  readonly opening: (typeof import("./sql/open") & typeof import("./http/sql-sockets")) | undefined;
}

async function startOpenedServer(
  { listening, store, seed, rules, own, opening }: OpenedParts,
  options: ReferenceApiOptions,
) {
  const { host = DEFAULT_HOST, now, deterministic, control = true, log = "none", cors = false } = options;
  const ids = deterministic ? repeatableIds : randomIds;
  const minting = { ids, signer: await Signer.of(store, ids) };
  const sql = await opening?.openSqlServer(store, options);
  const contents = sql?.contents;
  const started = await orClosed(sql, () => insertSeedAndCredentials(store, minting, { seed, now, contents }));

  const key = options.key ?? (isLoopback(host) ? undefined : randomBytes(24).toString("base64url"));
  const { journal, faults } = own ?? {
    journal: new Journal(logger(log, process.stderr), key),
    faults: new Faults(rules, () => replicaOf(store)),
  };
  const ending = new AbortController();
  const clock = new Clock(store, () => sql?.purge());
  let opened: Promise<Snapshots> | undefined;
  const snapshots = () => {
    opened ??= openSnapshots({ store, signer: minting.signer, sql }, options);
    return opened;
  };
  const services: Services = {
    store,
    ...minting,
    clock,
    journal,
    faults,
    ending: ending.signal,
    snapshots,
    isOpenToPages: cors,
    ...(sql && { sql, contents }),
  };
  const api: OpenReferenceApi = {
    url: listening.url,
    ...started,
    get organization() {
      return started.organization;
    },
    get organizationId() {
      return started.organizationId;
    },
    ...(key !== undefined && { key }),
    ...(sql && { sql: listening.url + REFERENCE_SQL }),
    ...methodsOf(services, started),
    store,
    own: { journal, faults },
    async close() {
      ending.abort();
      await listening.close();
      await (await opened)?.close();
      await sql?.close();
      await store.close();
    },
  };
  const sockets = sql && opening && new opening.SqlSockets(sql, services);
  listening.serve({
    ...application({ ...services, ...(control && { api }) }),
    ...(sockets && { upgrade: sockets.upgrade }),
  });
  return api;
}

/** Loads the code for snapshots, and opens their folder. */
async function openSnapshots(
  parts: { store: Store; signer: Signer; sql: SqlServer | undefined },
  { data = MEMORY, snapshots }: ReferenceApiOptions,
): Promise<Snapshots> {
  const { Snapshots } = await import("./snapshots/snapshots.js");
  return new Snapshots({ ...parts, data, folder: snapshots });
}

/** Copies the platform's current data into a store that later changes do not affect. */
async function replicaOf(store: Store): Promise<Store> {
  const { rows, settings } = await store.read(async (state) => ({
    rows: await readRows(state),
    settings: await state.selectFrom("settings").selectAll().execute(),
  }));
  const replica = await openStore(MEMORY);
  await replica.transaction("all", async (state) => {
    await state.deleteFrom("settings").execute();
    await state.insertInto("settings").values(settings).execute();
    await replaceRows(state, rows);
  });
  return replica;
}
