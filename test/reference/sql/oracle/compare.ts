import { isDeepStrictEqual } from "node:util";
import type { DatabaseConnection, PipelineRequest, Statement, Turn, TurnAnswer } from "./protocol";

/** One field in which the answers to a request differ. */
export interface AnswerDifference {
  /** The SQL of the request, or of the step of a batch. Empty for requests without SQL. */
  readonly sql: string;
  readonly kind: PipelineRequest["type"] | "cursor" | "step";
  /** The name of the field, such as `rows`, `code` or `affected_row_count`. */
  readonly field: string;
  readonly ours: unknown;
  readonly sqld: unknown;
  readonly stmt: Statement;
  /** The codes of the errors with which the request failed, if it failed. */
  readonly codes: { readonly ours?: string; readonly sqld?: string };
  /** The number of rows that the statement has changed, if ours has counted them. */
  readonly affectedRows?: number;
  /** The SQL of the requests before this one in the scenario. */
  readonly earlier: readonly string[];
}

type About = Pick<AnswerDifference, "sql" | "kind" | "stmt" | "earlier">;

type Json = Record<string, unknown>;

/** Fields with durations, and fields that the protocol only has in order to tell streams and servers apart. */
const NOT_COMPARED = new Set(["query_duration_ms", "baton", "base_url"]);

/** Sends the same turns to both servers, and compares each answer. */
export class Comparison {
  readonly #earlier: string[] = [];
  statements = 0;

  constructor(
    readonly ours: DatabaseConnection,
    readonly sqld: DatabaseConnection,
  ) {}

  /** Plays one turn, and returns its differences. */
  async play(turn: Turn): Promise<readonly AnswerDifference[]> {
    const [ours, sqld] = await Promise.all([this.ours.send(turn), this.sqld.send(turn)]);
    const found = [...this.#compare(turn, ours, sqld)];
    this.#earlier.push(...sqlOf(turn));
    this.statements += sqlOf(turn).length;
    return found;
  }

  *#compare(turn: Turn, ours: TurnAnswer, sqld: TurnAnswer): Iterable<AnswerDifference> {
    const earlier = [...this.#earlier];
    const whole: About = {
      sql: sqlOf(turn).join("; "),
      kind: "cursor" in turn ? "cursor" : "close",
      stmt: {},
      earlier,
    };
    if (ours.status !== sqld.status || ours.status !== 200) {
      if (ours.status !== sqld.status)
        yield {
          ...whole,
          codes: {},
          field: "status",
          ours: `${ours.status} ${short(ours)}`,
          sqld: `${sqld.status} ${short(sqld)}`,
        };
      return;
    }
    if ("cursor" in turn) {
      const [left, right] = [stepsOfCursor(ours.text), stepsOfCursor(sqld.text)];
      // A cursor that failed as a whole has no entries of steps to compare.
      if (hasFailed(left) !== hasFailed(right))
        return yield* compareObjects(whole, failureOf(left.rest), failureOf(right.rest));
      for (const [index, { stmt }] of turn.cursor.entries())
        yield* compareObjects(
          { sql: stmt.sql ?? "", kind: "cursor", stmt, earlier },
          left[index] ?? {},
          right[index] ?? {},
        );
      yield* compareObjects(whole, left.rest, right.rest);
      return;
    }
    const [left, right] = [JSON.parse(ours.text), JSON.parse(sqld.text)] as { baton: unknown; results: Json[] }[];
    for (const [index, request] of turn.requests.entries()) {
      yield* compareResults(request, left?.results[index] ?? {}, right?.results[index] ?? {}, [
        ...earlier,
        ...turn.requests.slice(0, index).flatMap((each) => sqlOf({ requests: [each] })),
      ]);
    }
    if ((left?.baton === null) !== (right?.baton === null))
      yield { ...whole, codes: {}, field: "baton", ours: left?.baton, sqld: right?.baton };
  }
}

const short = ({ text }: TurnAnswer): string => text.slice(0, 200);

/** Returns the SQL of each statement or sequence of a turn. */
function sqlOf(turn: Turn): string[] {
  if ("cursor" in turn) return turn.cursor.map(({ stmt }) => stmt.sql ?? "");
  return turn.requests.flatMap((request) => {
    if (request.type === "execute") return [request.stmt.sql ?? ""];
    if (request.type === "batch") return request.batch.steps.map(({ stmt }) => stmt.sql ?? "");
    return "sql" in request ? [request.sql ?? ""] : [];
  });
}

function* compareResults(
  request: PipelineRequest,
  ours: Json,
  sqld: Json,
  earlier: readonly string[],
): Iterable<AnswerDifference> {
  const stmt = request.type === "execute" ? request.stmt : {};
  const about: About = { sql: sqlOf({ requests: [request] }).join("; "), kind: request.type, stmt, earlier };
  const [left, right] = [contentOf(ours), contentOf(sqld)];
  if (request.type !== "batch" || left.code !== undefined || right.code !== undefined)
    return yield* compareObjects(about, left, right);
  const [mine, theirs] = [left, right] as { step_results: (Json | null)[]; step_errors: (Json | null)[] }[];
  for (const [index, { stmt }] of request.batch.steps.entries()) {
    const step = (of: typeof mine): Json => of?.step_errors[index] ?? of?.step_results[index] ?? { skipped: true };
    const about: About = { sql: stmt.sql ?? "", kind: "step", stmt, earlier };
    yield* compareObjects(about, step(mine), step(theirs));
  }
}

/** Returns the fields of an error, of a result, or of a response without a result. */
function contentOf({ error, response }: Json): Json {
  if (error) return error as Json;
  const { result, type: _, ...rest } = (response ?? {}) as Json;
  return (result as Json | undefined) ?? rest;
}

function* compareObjects(about: About, ours: Json, sqld: Json): Iterable<AnswerDifference> {
  const codes = {
    ...(typeof ours.code === "string" && { ours: ours.code }),
    ...(typeof sqld.code === "string" && { sqld: sqld.code }),
  };
  if ((codes.ours === undefined) !== (codes.sqld === undefined) || ours.skipped !== sqld.skipped)
    return yield { ...about, codes, field: "outcome", ours: outcomeOf(ours), sqld: outcomeOf(sqld) };
  for (const field of new Set([...Object.keys(ours), ...Object.keys(sqld)])) {
    if (NOT_COMPARED.has(field) || isDeepStrictEqual(ours[field], sqld[field])) continue;
    const { affected_row_count: affected } = ours;
    const affectedRows = typeof affected === "number" ? { affectedRows: affected } : {};
    yield { ...about, ...affectedRows, codes, field, ours: ours[field], sqld: sqld[field] };
  }
}

const outcomeOf = (content: Json): string =>
  content.skipped ? "skipped" : content.code === undefined ? "ok" : `${content.code}: ${content.message}`;

interface CursorSteps {
  [step: number]: Json;
  readonly rest: Json;
}

const hasFailed = (cursor: CursorSteps): boolean =>
  cursor.rest.error !== undefined && Object.keys(cursor).every((key) => key === "rest");

const failureOf = ({ error = {} }: Json): Json => error as Json;

/** Returns what a cursor says about each step, in the form of a result. `rest` has its last entries. */
function stepsOfCursor(text: string): CursorSteps {
  const steps: { [step: number]: Json; rest: Json } = { rest: {} };
  let current: Json = {};
  for (const line of text.trimEnd().split("\n").slice(1)) {
    const { type, step, ...entry } = JSON.parse(line) as Json & { type: string; step: number };
    if (type === "step_begin") {
      current = { ...entry, rows: [] };
      steps[step] = current;
    } else if (type === "row") (current.rows as unknown[]).push(entry.row);
    else if (type === "step_end") Object.assign(current, entry);
    else if (type === "step_error") steps[step] = entry.error as Json;
    else Object.assign(steps.rest, { [type]: entry.error ?? true });
  }
  return steps;
}
