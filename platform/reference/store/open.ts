import { openSqliteStore } from "./sqlite";
import type { Store } from "./store";

/** `:memory:`, the path of a file, or `postgres://…`. */
export async function openStore(data: string): Promise<Store> {
  if (!isPostgres(data)) return openSqliteStore(data);
  // Loading the driver takes time that most starts need not spend.
  const { openPostgresStore } = await import("./postgres.js");
  return openPostgresStore(data);
}

export const isPostgres = (data: string): boolean => /^postgres(ql)?:/i.test(data);
