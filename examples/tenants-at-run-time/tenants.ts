import { createHash } from "node:crypto";
import { type Client, createClient, LibsqlError } from "@libsql/client";
import { inspect, migrate } from "./migrate.ts";
import {
  type Deleted,
  type Found,
  isNameInUse,
  PermanentError,
  Platform,
  type PlatformSettings,
  statusOf,
} from "./platform.ts";

export interface Settings extends PlatformSettings {
  /** Address of a database, with {Hostname} or {DbId} in it. Default: "libsql://{Hostname}". */
  readonly address?: string;
}

const MINUTE = 60_000;
const TOKEN_MINUTES = 60;
const RENEW_AFTER_MINUTES = 45;
const RECOVERY_DAYS = 5;

/** A connection that is valid as long as its token. */
interface Connection {
  readonly client: Client;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/**
 * Finds the database of each tenant, and creates it at the tenant's first request. There is no table of tenants and ids,
 * which would have to be backed up and restored together with the databases. Nothing is restored at the request of a
 * tenant, because somebody may have deleted the database on purpose, and nothing is deleted, because the token cannot.
 */
export class Tenants {
  readonly #settings: Settings;
  readonly #platform: Platform;
  readonly #connections = new Map<string, Connection>();
  readonly #connecting = new Map<string, Promise<Connection>>();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#platform = new Platform(settings);
  }

  /**
   * Calls `work` with the database of a tenant.
   *
   * @param tenant The tenant's id: 1 to 200 characters. It is never given to another tenant.
   * @throws DeletedError if the tenant's database was deleted and can be restored.
   * @throws Error if the id is not valid, the platform does not answer, or `work` fails. Nothing is repeated after
   *   `work` was called.
   */
  async use<Result>(tenant: string, work: (database: Client) => Promise<Result>): Promise<Result> {
    const { client } = await this.#connection(tenant);
    try {
      return await work(client);
    } catch (failure) {
      // Unless SQL was at fault, the database may be deleted or replaced, so the next request looks for it again.
      if (failure instanceof LibsqlError && !failure.code.startsWith("SQL")) this.#connections.delete(tenant);
      throw failure;
    }
  }

  /** Gives a tenant an empty database, although a deleted one could be restored. Changes nothing if one is in use. */
  async startAnew(tenant: string): Promise<void> {
    const name = nameOf(tenant);
    await this.#platform.persistently(() => this.#connect(tenant, name, async () => undefined));
  }

  async #connection(tenant: string): Promise<Connection> {
    const current = this.#connections.get(tenant);
    const now = Date.now();
    if (current && now < current.renewAt) return current;
    const next = this.#connectOnce(tenant);
    if (!current || now >= current.expiresAt) return next;
    // Nobody waits for a renewal. If it fails, the next request tries it again.
    next.catch(() => undefined);
    return current;
  }

  /** Lets all requests for one tenant share one attempt. */
  #connectOnce(tenant: string): Promise<Connection> {
    const running = this.#connecting.get(tenant);
    if (running) return running;
    const name = nameOf(tenant);
    const connecting = this.#platform
      .persistently(() => this.#connect(tenant, name, (unused) => this.#refuseDeleted(tenant, name, unused)))
      .then((connection) => {
        this.#connections.set(tenant, connection);
        return connection;
      })
      .finally(() => this.#connecting.delete(tenant));
    this.#connecting.set(tenant, connecting);
    return connecting;
  }

  /** @param check Called before a database is created, and with an unused one before it is first used. */
  async #connect(tenant: string, name: string, check: Check): Promise<Connection> {
    const found = (await this.#platform.find(name)) ?? (await this.#create(name, check));
    const now = Date.now();
    const authToken = await this.#platform.createToken(found.id, `${TOKEN_MINUTES}m`).catch((failure) => {
      if (statusOf(failure) === 404)
        throw new Error(`Database "${name}" was deleted a moment ago.`, { cause: failure });
      throw failure;
    });
    const { address = "libsql://{Hostname}" } = this.#settings;
    const url = address.replace("{Hostname}", found.hostname).replace("{DbId}", found.id);
    const client = createClient({ url, authToken });
    const contents = await inspect(client);
    if (contents.tenant === undefined) {
      // Since the creation of this database its name is in use, so this list cannot miss one that was used. The list
      // before the creation can: in between, another process may have created one that was then deleted.
      await check(found);
    }
    if (contents.tenant === undefined || contents.missing.length > 0) await migrate(client, tenant);
    if ((contents.tenant ?? (await inspect(client)).tenant) !== tenant)
      throw new PermanentError(`Database "${name}" (${found.id}) belongs to another tenant than "${tenant}".`);
    return { client, renewAt: now + RENEW_AFTER_MINUTES * MINUTE, expiresAt: now + TOKEN_MINUTES * MINUTE };
  }

  async #create(name: string, check: Check): Promise<Found> {
    await check();
    return this.#platform.create(name).catch(async (failure) => {
      if (!isNameInUse(failure)) throw failure;
      const found = await this.#platform.find(name);
      if (found) return found;
      const reason = `Database "${name}" exists, but this token does not see it.`;
      throw Object.assign(new Error(reason, { cause: failure }), { status: 409 });
    });
  }

  async #refuseDeleted(tenant: string, name: string, unused?: Found): Promise<void> {
    const [first] = await this.#platform.listDeleted(name);
    if (first) throw new DeletedError(tenant, name, first, unused);
  }
}

type Check = (unused?: Found) => Promise<void>;

/** The database of a tenant was deleted, and can be restored. It is not replaced by an empty one. */
export class DeletedError extends PermanentError {
  readonly id: string;
  readonly restorableUntil: Date;

  /** @param unused The database that has the name now, and that no tenant has used. */
  constructor(tenant: string, name: string, { id, deletedAt }: Deleted, unused?: Found) {
    const restorableUntil = new Date(deletedAt.getTime() + RECOVERY_DAYS * 24 * 60 * MINUTE);
    const when = deletedAt.toISOString();
    super(
      `Database "${name}" (${id}) of tenant "${tenant}" was deleted, and can be restored until ${restorableUntil.toISOString()}. ` +
        (unused ? `Delete database ${unused.id}, which has its name and was never used. Then run ` : "Run ") +
        `\`npx pulumi-dbplatform restore --since ${when} --until ${when} --name ${name} --yes\`, or call startAnew() if nobody needs the data.`,
    );
    this.id = id;
    this.restorableUntil = restorableUntil;
  }
}

/**
 * Returns the name of a tenant's database: a readable part, which shortens the id and can be the same for several
 * tenants, and 80 bits of the id's hash, which tell them apart.
 */
export function nameOf(tenant: string): string {
  // Strings that are not well-formed would have the same hash, because UTF-8 has one replacement for all lone surrogates.
  if (!/^[^\p{Cc}\p{Cs}]{1,200}$/u.test(tenant))
    throw new PermanentError("The id of a tenant needs 1 to 200 characters, without control characters.");
  const readable = tenant
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 20)
    .replace(/^-+|-+$/g, "");
  const hash = createHash("sha256").update(tenant).digest("hex").slice(0, 20);
  return readable ? `${readable}-${hash}` : hash;
}
