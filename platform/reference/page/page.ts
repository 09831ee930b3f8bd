import { createHash, randomBytes } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { asset } from "../assets";
import { isForeignOriginChange, isLoopbackHost, isSameSecret } from "../control/guard";
import { findOrganization } from "../credentials/membership";
import { asRefusal } from "../refusal";
import { assertStorableText } from "../requests/storable-text";
import type { Services } from "../services";
import { actionsOf, SERVER_ACTIONS } from "./actions";
import { PlatformCaller } from "./caller";
import { CLOCK } from "./clock";
import { errorDocument, overviewDocument, signInDocument } from "./document";
import { pageHref, type Report, type Reports, type SubmittedForm } from "./elements";
import { deleteGroupFormPlace, NEW_GROUP_PLACE, newDatabaseIn, OPENED } from "./groups";
import { SQL_PLACE, TOKEN_PLACE } from "./opened-database";
import { RESET, SETTINGS } from "./organization";
import { shellLine } from "./shell-line";
import { SNAPSHOTS, snapshotItemPlace } from "./snapshots";
import { SqlConsole } from "./sql-console";
import { readPulse, readView, type View, type ViewOptions } from "./view";

/** The largest accepted form in bytes. The forms have a few short fields, and one field for SQL. */
const MAX_FORM_BYTES = 64 * 1024;

const FORM_TOO_LARGE = `Nothing was done, because the form is larger than ${MAX_FORM_BYTES / 1024} KiB. To run longer SQL, use a client with the address of the database.`;

/** Serves the HTML page at `/`. The page is switched off together with `/_reference/`. */
export function page(services: Services): Hono {
  const caller = new PlatformCaller(services);
  const sqlConsole = services.sql && new SqlConsole(services.sql, caller, services);
  const actions = actionsOf(services, { caller, sqlConsole });
  const reports = new KeptReports();
  const app = new Hono();
  app.use(
    "/page/*",
    bodyLimit({
      maxSize: MAX_FORM_BYTES,
      onError: (context) => context.html(errorDocument(FORM_TOO_LARGE), 413),
    }),
  );
  app.get("/page/page.css", (context) => context.body(asset("page.css"), 200, { "Content-Type": "text/css" }));
  for (const name of ["live.js", "morphlex.min.js"] as const)
    app.get(`/page/${name}`, (context) => context.body(asset(name), 200, { "Content-Type": "text/javascript" }));
  restrictPage(app, services.api?.key);
  app.onError((thrown, context) => {
    const refusal = asRefusal(thrown);
    if (refusal) return context.html(errorDocument(`${refusal.message}.`), refusal.status);
    throw thrown;
  });
  // A rejected form leaves its own address in the browser's address bar. Opening this address must show the page.
  for (const form of [...Object.keys(actions), ...Object.keys(SERVER_ACTIONS), "sign-in"])
    app.get(`/page/${form}`, (context) => context.redirect("/", 303));

  app.get("/", async (context) => {
    const { done = "", ...wanted } = readOptions(context.req.query());
    const kept = reports.take(done);
    return showPage(context, services, { wanted, ...(kept && { shown: new Map([kept]) }) });
  });
  app.get("/page/pulse", async (context) => context.text(await readPulse(readOptions(context.req.query()), services)));

  /** Redirects to the page, which shows the report, so that a reload does not repeat the action. */
  const redirect = (context: Context, wanted: ViewOptions, place: string, report: Report) =>
    context.redirect(pageHref(wanted, { done: reports.keep(place, report) }, place), 303);

  for (const [name, { place, run }] of Object.entries(SERVER_ACTIONS))
    app.post(`/page/${name}`, async (context) => {
      const form = await readForm(context);
      const wanted = readOptions(form);
      const { api } = services;
      if (!api) return context.notFound();
      try {
        const { message, request, isReplaced, ...done } = await run(form, api);
        // Looks up the organization again, because it may have been created after the state that was restored.
        const organization = await organizationNamedIn(form, services);
        const kept = organization && { organization: organization.slug };
        const line = shellLine({ ...request, needsKey: api.key !== undefined });
        const report = { message, request: line, isDone: true } as const;
        return redirect(context, isReplaced ? { ...kept } : wanted, done.place ?? place(form), report);
      } catch (thrown) {
        return showRefusal(context, services, { wanted, place: place(form), form, thrown });
      }
    });

  for (const [name, action] of Object.entries(actions))
    app.post(`/page/${name}`, async (context) => {
      const form = await readForm(context);
      const organization = await organizationNamedIn(form, services);
      if (!organization) return pageNotFound(context);
      const env = context.env as HttpBindings & { isRecorded?: true };
      const address = env.incoming.socket.remoteAddress ?? "";
      const { status, place, report, failures = {}, wanted: changes } = await action({ form, organization, address });
      // The journal has the request to the platform.
      env.isRecorded = true;
      const wanted = { ...readOptions(form), ...changes };
      const failed = Object.entries(failures).map(([at, message]) => [at, { message }] as const);
      if (report.isDone && report.once === undefined && failed.length === 0)
        return redirect(context, wanted, place, report);
      return showPage(context, services, { wanted, shown: new Map([[place, report], ...failed]), status });
    });
  return app;
}

/** Keeps the latest reports for the request that follows a redirect. */
class KeptReports {
  /** At most `MOST_REPORTS`, by key. */
  readonly #kept = new Map<string, readonly [place: string, report: Report]>();

  /** Returns the key of the report. It is random, so that a report of another process is not shown. */
  keep(place: string, report: Report): string {
    const key = randomBytes(6).toString("base64url");
    this.#kept.set(key, [place, report]);
    const [oldest = ""] = this.#kept.keys();
    if (this.#kept.size > MOST_REPORTS) this.#kept.delete(oldest);
    return key;
  }

  /** Returns a report once, so that it is not shown again when the page is loaded again. */
  take(key: string): readonly [place: string, report: Report] | undefined {
    const report = this.#kept.get(key);
    this.#kept.delete(key);
    return report;
  }
}

const MOST_REPORTS = 100;

interface PageContent {
  readonly wanted: ViewOptions;
  readonly shown?: Reports;
  readonly status?: ContentfulStatusCode;
}

async function showPage(
  context: Context,
  services: Services,
  { wanted, shown = new Map(), status = 200 }: PageContent,
): Promise<Response> {
  const viewed = await readView(wanted, services);
  if (!viewed) return pageNotFound(context);
  const places = reportPlaces(viewed);
  const reports = new Map([...shown].map(([place, report]) => [places.has(place) ? place : sectionOf(place), report]));
  return context.html(overviewDocument(viewed, reports), status);
}

/** Returns the places at which the page shows reports. */
const reportPlaces = ({ opened, groups, deletedGroups, deletedDatabases, snapshots }: View): ReadonlySet<string> =>
  new Set([
    CLOCK,
    RESET,
    SETTINGS,
    NEW_GROUP_PLACE,
    SNAPSHOTS,
    ...snapshots.map(({ name }) => snapshotItemPlace(name)),
    ...(opened ? [OPENED, SQL_PLACE, TOKEN_PLACE] : []),
    ...groups.flatMap(({ group: { id, name } }) => [`group-${id}`, newDatabaseIn(name), deleteGroupFormPlace(name)]),
    ...[...deletedDatabases.rows, ...deletedGroups.rows].map(({ id }) => `deleted-${id}`),
  ]);

/**
 * Returns the section in which a report is shown if its own place is not on the page, for example because a database
 * can no longer be restored.
 */
const sectionOf = (place: string): string =>
  place.startsWith("deleted-") ? "deleted" : place.startsWith("snapshot-") ? SNAPSHOTS : "groups";

interface Rejection {
  readonly wanted: ViewOptions;
  readonly place: string;
  readonly form: SubmittedForm;
  readonly thrown: unknown;
}

/** Shows why an action was refused, and rethrows internal errors. */
function showRefusal(context: Context, services: Services, { wanted, place, form, thrown }: Rejection) {
  const refusal = asRefusal(thrown);
  if (!refusal) throw thrown;
  const { message, status } = refusal;
  return showPage(context, services, { wanted, shown: new Map([[place, { message, typed: form }]]), status });
}

const pageNotFound = (context: Context) => context.html(errorDocument("This organization does not exist."), 404);

const readForm = async ({ req }: Context): Promise<SubmittedForm> =>
  checkedForm(Object.fromEntries(new URLSearchParams(await req.text())));

function checkedForm(form: SubmittedForm): SubmittedForm {
  for (const text of Object.values(form)) assertStorableText(text);
  return form;
}

function readOptions(form: SubmittedForm): ViewOptions {
  const { organization, search, group, after, log, database, done } = checkedForm(form);
  return {
    ...(organization && { organization }),
    ...(search && { search }),
    ...(group && { group }),
    ...(after && { after }),
    ...(log && { log }),
    ...(database && { database }),
    ...(done && { done }),
  };
}

const organizationNamedIn = ({ organization = "" }: SubmittedForm, { store }: Services) =>
  store.read((state) => findOrganization(state, { slug: organization }));

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A browser keeps the cookies of a host for all its ports, so the name keeps two servers apart. */
const cookieName = ({ req }: Context): string => `reference-page-${new URL(req.url).port}`;

/**
 * Restricts access to the page. On loopback, every user of this machine may see the page. On other addresses, the
 * page asks for the key.
 */
function restrictPage(app: Hono, key: string | undefined): void {
  app.use("/", guard);
  app.use("/page/*", guard);

  async function guard(context: Context, next: Next): Promise<Response | undefined> {
    context.header("Content-Security-Policy", POLICY);
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cache-Control", "no-store");
    if (isForeignOriginChange(context.req))
      return context.html(errorDocument("Pages of other origins cannot do this."), 403);
    if (key === undefined) {
      if (!isLoopbackHost(context.req.header("Host")))
        return context.html(errorDocument("This page is only available on this machine."), 403);
      await next();
      return undefined;
    }
    if (context.req.method === "POST" && context.req.path === "/page/sign-in") return signIn(context, key);
    if (!isSameSecret(sessionCookie(key), getCookie(context, cookieName(context))))
      return context.html(signInDocument(false), 401);
    await next();
    return undefined;
  }
}

async function signIn(context: Context, key: string): Promise<Response> {
  const given = new URLSearchParams(await context.req.text()).get("key") ?? "";
  if (!isSameSecret(key, given.trim())) return context.html(signInDocument(true), 401);
  const secure = new URL(context.req.url).protocol === "https:";
  setCookie(context, cookieName(context), sessionCookie(key), {
    httpOnly: true,
    sameSite: "Strict",
    path: "/",
    secure,
  });
  return context.redirect("/", 303);
}

/**
 * Returns the value of the session cookie, a hash of the key. The browser does not store the key itself, because the
 * key also opens the routes under `/_reference/`.
 */
const sessionCookie = (key: string): string => createHash("sha256").update(`page ${key}`).digest("base64url");
