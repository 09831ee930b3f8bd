import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { api, type Operation } from "../../contract/api";
import type { Endpoint } from "../../contract/endpoint";
import { control, health } from "../control/control";
import { sqlTokenKeySet } from "../credentials/sql-token";
import { NO_ROUTE, refuse } from "../messages";
import { openApiRoutes } from "../openapi/routes";
import { page } from "../page/page";
import { decodeBody, largestBody, parseFormBody, readBodyBytes } from "../requests/body";
import type { ArrivedRequest } from "../requests/parse";
import { answerToFailure, identifyCaller, type Outcome, perform } from "../requests/perform";
import type { Services } from "../services";
import { answer, type SocketContext } from "./answer";
import { isForEveryOrigin, isPreflight, permitCorsReading, preflightResponse } from "./cors";
import { injectFault } from "./inject-fault";
import type { Application } from "./listen";
import { type Bindings, recordRequest, statusSent } from "./record-request";
import { serveSql } from "./sql";

/** Used as the body of every GET request, because the server does not read the bodies of GET requests. */
const NO_BYTES = Buffer.alloc(0);

/**
 * The version that this server reports when the official CLI checks for updates. The CLI sends no credential with this
 * request. This server publishes no releases, so the version is never newer than the CLI's.
 */
const NO_RELEASE = "v0.0.0";

/** Serves the platform's API at the root of the host, and the reference API's own routes under `/_reference/`. */
export function application(services: Services): Application {
  const app = routedApplication(services);
  return {
    async fetch(request, env: Bindings) {
      const began = performance.now();
      const response = await app.fetch(request, env);
      if (response !== RESPONSE_ALREADY_SENT && isForEveryOrigin(env.operation, services.isOpenToPages))
        permitCorsReading(response, env.incoming);
      if (!env.isRecorded) {
        const { pathname } = new URL(request.url);
        const { method } = request;
        await recordRequest(
          { operation: env.operation, method, path: pathname, status: statusSent(response, env), began },
          services,
        );
      }
      return response;
    },
    unread: (request) => recordRequest(request, services),
  };
}

function routedApplication(services: Services): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  if (services.sql) serveSql(app, services.sql, services);
  app.route("/_reference", health(services));
  if (services.api) app.route("/_reference", control(services.api, services.store));
  if (services.api) app.route("/", page(services));
  app.route("/", openApiRoutes({ hasPage: services.api !== undefined }));
  app.get("/.well-known/jwks.json", async (context) => context.json(await sqlTokenKeySet(services.store)));
  app.get("/releases/latest", (context) => context.json({ latest: NO_RELEASE }));
  if (services.isOpenToPages) answerPreflights(app);
  for (const [route, operations] of operationRoutes())
    app.on(route.method, route.path, (context) =>
      serveOperation(context, operationFor(operations, context.req.query()), services),
    );
  app.notFound((context) => context.text(NO_ROUTE, 404));
  app.onError(answerFailure);
  return app;
}

/** Answers browsers that ask whether a page may send a request to the platform's API. */
function answerPreflights(app: Hono<{ Bindings: Bindings }>): void {
  for (const [{ path }, [operation]] of operationRoutes())
    app.options(path, (context, next) => {
      if (!isPreflight(context.env.incoming)) return next();
      context.env.operation = operation;
      return preflightResponse(context.env.incoming);
    });
}

/**
 * Returns every method and path with its operations. Several operations share a path only if a query parameter
 * distinguishes them.
 */
function operationRoutes(): Map<{ method: string; path: string }, Operation[]> {
  const known = new Map<string, [{ method: string; path: string }, Operation[]]>();
  for (const [name, { method, paths }] of Object.entries(api) as [Operation, Endpoint][])
    for (const template of paths) {
      const path = template.replace(/\{(\w+)\}/g, ":$1");
      const [route, operations] = known.get(`${method} ${path}`) ?? [{ method, path }, []];
      known.set(`${method} ${path}`, [route, [...operations, name]]);
    }
  return new Map(known.values());
}

function operationFor(operations: readonly Operation[], query: Readonly<Record<string, string>>): Operation {
  const queryFlag = (operation: Operation): string | undefined => (api[operation] as Endpoint).queryFlag;
  const named = operations.find((operation) => (queryFlag(operation) ?? "") in query);
  return named ?? operations.find((operation) => queryFlag(operation) === undefined) ?? (operations[0] as Operation);
}

async function serveOperation(context: SocketContext, operation: Operation, services: Services): Promise<Response> {
  const began = performance.now();
  context.env.operation = operation;
  // Reads the whole request before applying fault rules, so that no rule counts an incomplete request.
  const arrived = await readRequest(context, api[operation], services);
  const fired = services.faults.take(operation);
  const record = ({ time, status, caller }: Outcome) => {
    const { method, path } = context.req;
    const { fault } = fired ?? {};
    context.env.isRecorded = true;
    services.journal.record({ time: time.toISOString(), operation, method, path, status, caller, fault, began });
  };
  if (fired)
    return injectFault(fired, {
      context,
      work: (replica) => perform(operation, arrived, replica ? { ...services, store: replica } : services),
      identify: () => identifyCaller(arrived, services),
      record,
      ending: services.ending,
    });
  const outcome = await perform(operation, arrived, services);
  record(outcome);
  return answer(outcome);
}

/** Returns the response to an unexpected failure. If the caller has disconnected, sends no response. */
function answerFailure(thrown: Error, context: SocketContext): Response {
  const { incoming, outgoing } = context.env;
  // Checks `complete`, because Node.js also destroys a request after its whole body has been read. The caller of such a
  // request still waits for the response.
  if ((incoming.destroyed && !incoming.complete) || outgoing.destroyed) return RESPONSE_ALREADY_SENT;
  return answer(answerToFailure(thrown));
}

async function readRequest(
  { req, env }: SocketContext,
  endpoint: Endpoint,
  services: Services,
): Promise<ArrivedRequest> {
  // Reads the headers from Node.js's request object, because Hono would first copy all of them.
  const { authorization, "user-agent": userAgent, "content-type": type } = env.incoming.headers;
  const isForm = endpoint.consumes === "multipart";
  // Checks the credential before an uploaded file is read, because reading and parsing a file takes a long time.
  const isRead = !isForm || (await identifyCaller({ authorization }, services)).caller !== undefined;
  const bytes =
    endpoint.method === "GET" ? NO_BYTES : await readBodyBytes(env.incoming, isRead ? largestBody(endpoint) : 0);
  return {
    authorization,
    userAgent,
    params: req.param() as Record<string, string>,
    query: req.query(),
    address: req.url,
    text: bytes ? (isForm ? "" : decodeBody(bytes)) : refuse.bodyTooLarge({ mostBytes: largestBody(endpoint) }),
    ...(isForm && bytes && { form: await parseFormBody(bytes, type) }),
  };
}
