import { ApiError } from "../refusal";
import type { Task } from "./engine/jobs";
import { BAD_STEP, CLOSE_NOT_LAST, SQL_AND_ID, SQL_OR_ID, sqlExists, sqlNotFound, TEXTS_TOO_LARGE } from "./messages";
import type { Batch, Condition, Statement, StreamRequest } from "./protocol";

/** The maximum number of characters of SQL that a client can store on one stream. */
const MOST_STORED = 1024 * 1024;

type Texts = Map<number, string>;

/**
 * Replaces references to stored SQL with the SQL itself, and handles the requests that store or remove SQL.
 *
 * @throws ApiError if the requests violate the protocol. The caller must then close the stream.
 */
export const tasksOf = (requests: readonly StreamRequest[], texts: Texts): Task[] =>
  requests.map((request, index) => {
    switch (request.type) {
      case "close":
        if (index < requests.length - 1) throw new ApiError(400, CLOSE_NOT_LAST);
        return request;
      case "store_sql":
        if (texts.has(request.sql_id)) throw new ApiError(400, sqlExists(request.sql_id));
        texts.set(request.sql_id, request.sql);
        if ([...texts.values()].reduce((sum, { length }) => sum + length, 0) > MOST_STORED)
          throw new ApiError(400, TEXTS_TOO_LARGE);
        return { type: "stored", text: '{"type":"store_sql"}' };
      case "close_sql":
        texts.delete(request.sql_id);
        return { type: "stored", text: '{"type":"close_sql"}' };
      case "execute":
        return { ...request, stmt: filled(request.stmt, texts) };
      case "batch":
        return { ...request, batch: batchOf(request.batch, texts) };
      case "sequence":
      case "describe":
        return { ...request, sql: textOf(request, texts) };
      default:
        return request;
    }
  });

export function batchOf({ steps }: Batch, texts: Texts): Batch {
  for (const [index, { condition }] of steps.entries())
    if (condition && !stepsOf(condition).every((step) => step < index)) throw new ApiError(400, BAD_STEP);
  return { steps: steps.map((step) => ({ ...step, stmt: filled(step.stmt, texts) })) };
}

const filled = (statement: Statement, texts: Texts): Statement => ({ ...statement, sql: textOf(statement, texts) });

function textOf({ sql, sql_id }: Pick<Statement, "sql" | "sql_id">, texts: Texts): string {
  const hasText = sql !== undefined && sql !== null;
  if (sql_id === undefined || sql_id === null) {
    if (!hasText) throw new ApiError(400, SQL_OR_ID);
    return sql;
  }
  if (hasText) throw new ApiError(400, SQL_AND_ID);
  const known = texts.get(sql_id);
  if (known === undefined) throw new ApiError(400, sqlNotFound(sql_id));
  return known;
}

/** Returns the indexes of all steps that a condition refers to. */
function stepsOf(condition: Condition): readonly number[] {
  if ("step" in condition) return [condition.step];
  if ("cond" in condition) return stepsOf(condition.cond);
  return "conds" in condition ? condition.conds.flatMap(stepsOf) : [];
}
