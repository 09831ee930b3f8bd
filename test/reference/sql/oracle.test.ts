// @module-tag more

import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { findSqld, Sqld } from "../../../tools/lab/sqld";
import { full, seeded } from "../../full";
import { type AnswerDifference, Comparison } from "./oracle/compare";
import { BROKEN, TABLES_OF_BROKEN } from "./oracle/errors";
import { KNOWN, type KnownDifference } from "./oracle/known";
import { CLOSE, execute, OverHttp, type Turn } from "./oracle/protocol";
import { Random } from "./oracle/random";
import { scenario } from "./oracle/scenarios";
import { OverSocket } from "./oracle/socket";
import { vectorQueries } from "./oracle/vectors";
import { sqlWorld } from "./sql";

const STATEMENTS = full ? 100_000 : 2_000;

/** Statements in one scenario, which has a new database on each server. */
const LENGTH = 20;

/** How many unknown differences are collected before the test ends. */
const MOST_PROBLEMS = 20;

const SEED = seeded.seed ?? 1;

let sqld: Sqld | undefined;
let missing = "";

beforeAll(async () => {
  const found = await findSqld();
  if ("missing" in found) missing = found.missing;
  else sqld = await Sqld.start(found.program, { hasNamespaces: true });
});
afterAll(async () => await sqld?.end());

type Transport = "HTTP" | "WebSockets";

/** Returns a function that begins a scenario, or skips the test. */
async function comparing(
  context: TestContext,
  transport: Transport = "HTTP",
): Promise<(name: string) => Promise<Comparison>> {
  const server = sqld;
  if (!server) return context.skip(missing);
  const { database } = await sqlWorld();
  return async (name) => {
    const [{ url, token }] = await Promise.all([database(name), server.create(name)]);
    const theirs = { url: `${server.url}/`, headers: { Host: `${name}.sqld` } };
    if (transport === "WebSockets")
      return new Comparison(new OverSocket({ url, headers: {} }, token), new OverSocket(theirs, null));
    return new Comparison(new OverHttp({ url, headers: { Authorization: `Bearer ${token}` } }), new OverHttp(theirs));
  };
}

const knownFor = (difference: AnswerDifference): KnownDifference | undefined =>
  KNOWN.find((known) => known.matches(difference));

const inspect = ({ sql, kind, field, ours, sqld, stmt }: AnswerDifference): string =>
  `${kind} ${sql}\n  ${JSON.stringify(stmt)}\n  ${field}: ${JSON.stringify(ours)} (ours), ${JSON.stringify(sqld)} (sqld)`;

/**
 * Plays turns, and returns what they show. A statement that fails on one server only can change what follows, so the
 * scenario ends there.
 */
async function play(comparison: Comparison, turns: Iterable<Turn>) {
  const known = new Set<KnownDifference>();
  for (const turn of turns) {
    const unknown: AnswerDifference[] = [];
    for (const difference of await comparison.play(turn)) {
      const match = knownFor(difference);
      if (!match) {
        unknown.push(difference);
        continue;
      }
      known.add(match);
      if (match.diverges || difference.field === "outcome") return { known, unknown };
    }
    if (unknown.length > 0) return { known, unknown };
  }
  return { known, unknown: [] };
}

test("each known difference from libSQL's own server still exists", async (context) => {
  const begin = await comparing(context);
  const problems: string[] = [];
  for (const [index, known] of KNOWN.entries()) {
    const shown = await play(await begin(`example-${index}`), known.example);
    problems.push(...shown.unknown.map((difference) => `${known.id}, unknown: ${inspect(difference)}`));
    if (!shown.known.has(known)) problems.push(`${known.id} no longer exists, or another condition comes before it`);
  }
  expect(problems).toEqual([]);
});

test("vector functions have the same results and errors in libSQL's own server", async (context) => {
  const begin = await comparing(context);
  const comparison = await begin("vectors");
  const problems: string[] = [];
  for (const sql of vectorQueries(new Random(SEED)))
    problems.push(...(await play(comparison, [{ requests: [execute(sql), CLOSE] }])).unknown.map(inspect));
  expect(problems).toEqual([]);
});

test("every error has the code and the place that it has in libSQL's own server", async (context) => {
  const begin = await comparing(context);
  const comparison = await begin("errors");
  const problems: string[] = [];
  for (const sql of [...TABLES_OF_BROKEN, ...BROKEN])
    for (const request of [execute(sql), { type: "describe", sql } as const])
      for (const difference of await comparison.play({ requests: [request, CLOSE] }))
        if (!knownFor(difference)) problems.push(inspect(difference));
  expect(problems).toEqual([]);
});

test.for([
  ["HTTP", STATEMENTS],
  ["WebSockets", STATEMENTS / 4],
] as const)(
  "random statements over %s have the same results in libSQL's own server, apart from known differences",
  async ([transport, most], context) => {
    const begin = await comparing(context, transport);
    const seen = new Set<KnownDifference>();
    const problems: string[] = [];
    let statements = 0;
    for (let index = 0; statements < most && problems.length < MOST_PROBLEMS; index += 1) {
      const seed = SEED + index;
      const name = `${transport}-${index}`.toLowerCase();
      const comparison = await begin(name);
      const { known, unknown } = await play(comparison, scenario(new Random(seed), LENGTH));
      for (const difference of unknown) {
        const problem = `TEST_SEED=${seed}: ${inspect(difference)}`;
        // An interrupted run must not lose it.
        console.log(problem);
        problems.push(problem);
      }
      for (const each of known) seen.add(each);
      statements += comparison.statements;
      await sqld?.delete(name);
    }
    expect(problems).toEqual([]);
    const never = KNOWN.filter((known) => !seen.has(known)).map(({ id }) => id);
    if (full && never.length > 0) console.warn(`Only their examples show these known differences: ${never.join(", ")}`);
  },
);
