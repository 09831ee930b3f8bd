import {
  type ColumnDefinitionNode,
  type DatabaseConnection,
  DataTypeNode,
  type Dialect,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  PostgresDialect,
  PostgresDriver,
  type QueryId,
  RawNode,
} from "kysely";
import { Pool, types } from "pg";
import { StoreFailure } from "./failure";

/** How long, in milliseconds, a request waits for a connection, or for another request on the same organization. */
const PATIENCE_MS = 20_000;

/**
 * How long a transaction may be idle before PostgreSQL rolls it back, so that a hanging process does not block other
 * processes.
 */
const STANDSTILL_MS = 30_000;

const INT8 = 20;

/** Returns a Kysely dialect for `pg` that throws a `StoreFailure` if an operation fails before anything has changed. */
export function postgresDialect(address: string): Dialect {
  const pool = new Pool({
    connectionString: address,
    application_name: "dbplatform-api",
    connectionTimeoutMillis: PATIENCE_MS,
    lock_timeout: PATIENCE_MS,
    idle_in_transaction_session_timeout: STANDSTILL_MS,
    keepAlive: true,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)) },
  });
  // Without a listener, a lost connection would end the process. The next query on the connection reports the failure
  // anyway.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const dialect = new PostgresDialect({ pool });
  return {
    createDriver: () => new CarefulDriver({ pool }),
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (database) => dialect.createIntrospector(database),
  };
}

/** Distinguishes failures that cannot have changed anything from a failed commit, whose outcome is unknown. */
class CarefulDriver extends PostgresDriver {
  readonly #committing = new WeakSet<DatabaseConnection>();

  override acquireConnection(...options: Parameters<PostgresDriver["acquireConnection"]>) {
    return unavailableIfFailed(super.acquireConnection(...options));
  }

  override beginTransaction(...begin: Parameters<PostgresDriver["beginTransaction"]>): Promise<void> {
    this.#committing.delete(begin[0]);
    return unavailableIfFailed(super.beginTransaction(...begin));
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#committing.add(connection);
    await super.commitTransaction(connection);
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver["rollbackTransaction"]>[0]): Promise<void> {
    const rolledBack = super.rollbackTransaction(connection);
    if (!this.#committing.has(connection)) return unavailableIfFailed(rolledBack);
    // Ignores a failed rollback, so that the caller gets the error of the failed commit.
    await rolledBack.catch(() => undefined);
  }
}

async function unavailableIfFailed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new StoreFailure("unavailable", cause);
  }
}

/**
 * Makes text columns compare bytewise, as SQLite does, regardless of the locale of the PostgreSQL server. A type in
 * each migration would be forgotten.
 */
export class BytewiseTexts implements KyselyPlugin {
  readonly #transformer = new Transformer();

  transformQuery({ node, queryId }: PluginTransformQueryArgs) {
    return this.#transformer.transformNode(node, queryId);
  }

  transformResult: KyselyPlugin["transformResult"] = async ({ result }) => result;
}

class Transformer extends OperationNodeTransformer {
  protected override transformColumnDefinition(node: ColumnDefinitionNode, queryId?: QueryId): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(node, queryId);
    const isText = DataTypeNode.is(column.dataType) && column.dataType.dataType === "text";
    return isText ? { ...column, dataType: RawNode.createWithSql('text collate "C"') } : column;
  }
}
