import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
  type TransactionSettings,
} from "kysely";
import { isStoreBusyFailure, StoreFailure } from "./failure";

export function nodeSqliteDialect(path: string): Dialect {
  let file: DatabaseSync | undefined;
  const config = {
    async database() {
      file = await retryWhileBusy(async () => openNodeSqlite(path));
      return sqliteShim(file);
    },
  };
  const dialect = new SqliteDialect(config);
  return {
    createDriver: () => new ImmediateDriver(config, () => file?.isTransaction === true),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (database) => dialect.createIntrospector(database),
  };
}

/**
 * Takes the write lock when a write transaction begins. A transaction that reads before it writes could otherwise fail
 * if another process writes in between.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #isTransaction: () => boolean;

  constructor(config: SqliteDialectConfig, isTransaction: () => boolean) {
    super(config);
    this.#isTransaction = isTransaction;
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === "read only" ? "begin" : "begin immediate";
    await retryWhileBusy(() => connection.executeQuery(CompiledQuery.raw(begin))).catch((cause: unknown) => {
      throw new StoreFailure("unavailable", cause);
    });
  }

  /**
   * Skips the rollback if the failure has already ended the transaction, because a failing rollback would hide the
   * cause.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#isTransaction()) await super.rollbackTransaction(connection);
  }
}

/** Runs migrations in one transaction, so that only one of two processes that open the same file migrates it. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function openNodeSqlite(path: string): DatabaseSync {
  const file = new DatabaseSync(path);
  try {
    // Waits for the disk at each commit, because a write must be on disk before its response is sent.
    file.exec("pragma synchronous = full; pragma foreign_keys = on");
    return file;
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}

/**
 * The maximum number of prepared statements that are kept. The code has fewer queries, but the text of a query with a
 * list depends on the length of the list. Beyond the maximum, all are dropped, and prepared again when they are needed.
 */
export const MOST_PREPARED = 500;

function sqliteShim(file: DatabaseSync): SqliteDatabase {
  // At most `MOST_PREPARED` statements, by text.
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => file.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      if (prepared.size >= MOST_PREPARED) prepared.clear();
      const fresh = statementShim(file.prepare(sql));
      prepared.set(sql, fresh);
      return fresh;
    },
  };
}

function statementShim(prepared: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: prepared.columns().length > 0,
    all: (parameters) => prepared.all(...values(parameters)),
    run: (parameters) => prepared.run(...values(parameters)),
    iterate: (parameters) => prepared.iterate(...values(parameters)),
  };
}

const PATIENCE_MS = 10_000;
const PAUSE_MS = 2;

/**
 * Retries work that fails because another connection is writing to the same file. Waiting inside SQLite would block the
 * whole process, so a writer in this process could never finish.
 */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let end: number | undefined; ; ) {
    try {
      return await work();
    } catch (thrown) {
      if (!isStoreBusyFailure(thrown)) throw thrown;
      end ??= performance.now() + PATIENCE_MS;
      if (performance.now() > end) throw thrown;
      await wait(PAUSE_MS);
    }
  }
}
