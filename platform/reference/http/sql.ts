import type { IncomingMessage } from "node:http";
import type { Hono } from "hono";
import { SQL } from "../faults/faults";
import { refuse } from "../messages";
import { readBodyBytes } from "../requests/body";
import type { Services } from "../services";
import type { SqlRequest, SqlServer } from "../sql/server";
import { clockNow } from "../time/clock";
import { answer, type HttpOutcome, type SocketContext } from "./answer";
import { isPreflight, preflightResponse } from "./cors";
import { injectFault } from "./inject-fault";
import type { Bindings } from "./record-request";

/** The largest accepted body, or message over a WebSocket, in bytes. */
export const MAX_SQL_BODY_BYTES = 32 * 1024 * 1024;

const NO_BYTES = Buffer.alloc(0);

/** The path of a request to a database: `/sql/{DbId}/`, then a protocol path such as `v2/pipeline`. */
const OWN = /^\/sql\/([0-9a-f-]{36})(\/.*)?$/i;

/** The paths below which only databases are. Without the last slash of an address, clients send `/sql/v2/pipeline`. */
const FOREIGN = /^\/sql(?:\/|$)/i;

/** The status of gRPC for a method that does not exist. */
const GRPC_UNIMPLEMENTED = "12";

/** Serves SQL requests to databases, which are addressed by path or by hostname. */
export function serveSql(app: Hono<{ Bindings: Bindings }>, sql: SqlServer, services: Services): void {
  app.use(async (context, next) => {
    const request = sqlRequestOf(context, sql);
    if (request) return answerSql(context, request, { sql, services });
    return FOREIGN.test(context.req.path) ? refuseForeignAddress(context) : next();
  });
}

function refuseForeignAddress({ env }: SocketContext): Response {
  env.operation = SQL;
  if (isPreflight(env.incoming)) return preflightResponse(env.incoming);
  const { status, message, code } = refuse.notADatabaseAddress();
  return answer({ status, body: { error: message, message, code } });
}

/** Returns the SQL request, or `undefined` if the request is not for a database. */
function sqlRequestOf({ req, env }: SocketContext, sql: SqlServer): Omit<SqlRequest, "body"> | undefined {
  const place = sqlRequestTarget(env.incoming, req.path, sql.isDatabaseHost);
  const { authorization } = env.incoming.headers;
  return place && { ...place, authorization, method: req.method };
}

/** Returns the database that a request names, the path below it and the caller's address; `undefined` if it names none. */
export function sqlRequestTarget(
  { headers: { host }, socket }: IncomingMessage,
  requestPath: string,
  isDatabaseHost: SqlServer["isDatabaseHost"],
): Pick<SqlRequest, "named" | "path" | "address"> | undefined {
  const [, id, below = "/"] = OWN.exec(requestPath) ?? [];
  const named = id !== undefined ? { id } : isDatabaseHost(host) ? { host } : undefined;
  // Removes duplicate slashes, which some clients produce when they join an address and a path.
  const path = (id === undefined ? requestPath : below).replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
  return named && { named, path, address: socket.remoteAddress ?? "" };
}

async function answerSql(
  context: SocketContext,
  request: Omit<SqlRequest, "body">,
  { sql, services }: { sql: SqlServer; services: Services },
): Promise<Response> {
  const began = performance.now();
  const { env, req } = context;
  env.operation = SQL;
  if (isPreflight(env.incoming)) return preflightResponse(env.incoming);
  const body = request.method === "GET" ? Promise.resolve(NO_BYTES) : readBytesUpToLimit(env);
  // Reads the whole request before applying fault rules, so that no rule counts an incomplete request.
  await body.catch(() => undefined);
  const fired = services.faults.take(SQL);
  const record = ({ time, status }: Pick<HttpOutcome, "time" | "status">) => {
    env.isRecorded = true;
    const entry = {
      time: time.toISOString(),
      operation: SQL,
      method: req.method,
      path: req.path,
      status,
      began,
    } as const;
    services.journal.record({ ...entry, ...(fired && { fault: fired.fault }) });
  };
  const work = async () => ({ body: undefined, ...(await sql.answer({ ...request, body: () => body })) });
  if (fired) {
    const identify = async () => ({ time: await services.store.read(clockNow) });
    const readWhole = async () => withoutStream(await work());
    return injectFault(fired, { context, work: readWhole, identify, record, ending: services.ending });
  }
  const served = await work();
  record(served);
  const isGrpc = /^application\/grpc/.test(env.incoming.headers["content-type"] ?? "");
  return isGrpc && served.status === 404 ? grpcRefusal(served) : answer(served);
}

/** Returns a response from which a replica that speaks gRPC reads the message. It would not read a body of JSON. */
function grpcRefusal({ text }: Pick<HttpOutcome, "text">): Response {
  const { message } = JSON.parse(String(text)) as { readonly message: string };
  const headers = { "Content-Type": "application/grpc-web", "grpc-status": GRPC_UNIMPLEMENTED };
  return new Response(null, { headers: { ...headers, "grpc-message": encodeURIComponent(message) } });
}

/** Reads a stream to its end, because a fault rule may send half of it, or something else. */
async function withoutStream({ stream, ...served }: HttpOutcome): Promise<HttpOutcome> {
  return stream ? { ...served, text: Buffer.from(await new Response(stream).bytes()) } : served;
}

async function readBytesUpToLimit({ incoming }: Bindings): Promise<Buffer> {
  const bytes = await readBodyBytes(incoming, MAX_SQL_BODY_BYTES);
  if (!bytes) throw refuse.bodyTooLarge({ mostBytes: MAX_SQL_BODY_BYTES });
  return bytes;
}
