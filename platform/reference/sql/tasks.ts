import { ApiError } from "../refusal";
import type { Task } from "./engine/jobs";
import { responseJson } from "./hrana-json";
import { BAD_STEP, CLOSE_NOT_LAST, SQL_AND_ID, SQL_OR_ID } from "./messages";
import type { Batch, Condition, Statement, StreamRequest } from "./protocol";
import type { StoredSql } from "./stored-sql";

/** Returns a stored text. */
type Read = ReturnType<StoredSql["reader"]>;

/**
 * Replaces references to stored SQL with the SQL itself, and handles the requests that store or remove SQL.
 *
 * @throws ApiError if the requests violate the protocol. The caller must then close the stream.
 */
export function tasksOf(requests: readonly StreamRequest[], texts: StoredSql): Task[] {
  const read = texts.reader();
  return requests.map((request, index) => {
    switch (request.type) {
      case "close":
        if (index < requests.length - 1) throw new ApiError(400, CLOSE_NOT_LAST);
        return request;
      case "store_sql":
        texts.store(request.sql_id, request.sql);
        return { type: "stored", text: responseJson.storeSql };
      case "close_sql":
        texts.remove(request.sql_id);
        return { type: "stored", text: responseJson.closeSql };
      case "execute":
        return { ...request, stmt: filledStatement(request.stmt, read) };
      case "batch":
        return { ...request, batch: filledBatch(request.batch, read) };
      case "sequence":
      case "describe":
        return { ...request, sql: sqlTextOf(request, read) };
      default:
        return request;
    }
  });
}

export function filledBatch({ steps }: Batch, read: Read): Batch {
  for (const [index, { condition }] of steps.entries())
    if (condition && !stepsIn(condition).every((step) => step < index)) throw new ApiError(400, BAD_STEP);
  return { steps: steps.map((step) => ({ ...step, stmt: filledStatement(step.stmt, read) })) };
}

const filledStatement = (statement: Statement, read: Read): Statement => ({
  ...statement,
  sql: sqlTextOf(statement, read),
});

function sqlTextOf({ sql, sql_id }: Pick<Statement, "sql" | "sql_id">, read: Read): string {
  const hasText = sql !== undefined && sql !== null;
  if (sql_id === undefined || sql_id === null) {
    if (!hasText) throw new ApiError(400, SQL_OR_ID);
    return sql;
  }
  if (hasText) throw new ApiError(400, SQL_AND_ID);
  return read(sql_id);
}

/** Returns the indexes of all steps that a condition refers to. */
function stepsIn(condition: Condition): readonly number[] {
  if ("step" in condition) return [condition.step];
  if ("cond" in condition) return stepsIn(condition.cond);
  return "conds" in condition ? condition.conds.flatMap(stepsIn) : [];
}
