import { createHash } from "node:crypto";
import { type Context, Hono, type Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { asset } from "../assets";
import { isForeignChange, isLoopbackHost, isSameSecret } from "../control/guard";
import { refuse } from "../messages";
import { asRefusal, refusalOf } from "../refusal";
import { assertStorableText } from "../requests/body";
import type { Services } from "../services";
import { findOrganization } from "../store/organizations";
import { Instant } from "../time/instant";
import { errorPage, overview, signIn } from "./document";
import { addressOf, type Problem } from "./elements";
import { Restorer } from "./caller";
import { pulse, view, type Wanted } from "./view";

/** The largest accepted form in bytes. The forms have a few short fields. */
const MAX_FORM_BYTES = 16 * 1024;

const FORMS = ["clock", "reset", "restore-database", "restore-group", "sign-in"];

/** Serves the HTML page at `/`. The page is switched off together with `/_reference/`. */
export function page(services: Services): Hono {
  const restorer = new Restorer(services);
  const app = new Hono();
  app.use(
    "/page/*",
    bodyLimit({
      maxSize: MAX_FORM_BYTES,
      onError: (context) => context.html(errorPage("The form is too large."), 413),
    }),
  );
  const styles = () => asset("page.css");
  const script = () => asset("live.js");
  app.get("/page/page.css", (context) => context.body(styles(), 200, { "Content-Type": "text/css" }));
  app.get("/page/live.js", (context) => context.body(script(), 200, { "Content-Type": "text/javascript" }));
  guardPage(app, services.api?.key);
  app.onError((thrown, context) => {
    const refusal = asRefusal(thrown);
    if (refusal) return context.html(errorPage(`${refusal.message}.`), refusal.status);
    throw thrown;
  });
  // A rejected form leaves its own address in the browser's address bar. Opening this address must show the page.
  for (const form of FORMS) app.get(`/page/${form}`, (context) => context.redirect("/", 303));

  app.get("/", (context) => showPage(context, viewOptionsOf(context.req.query()), services));
  app.get("/page/pulse", async (context) => context.text(await pulse(viewOptionsOf(context.req.query()), services)));

  app.post("/page/clock", async (context) => {
    const form = await submittedForm(context);
    const refusal = await refusalOf(changeClock(form, services));
    if (refusal) return showPage(context, viewOptionsOf(form), services, { at: "clock", refusal, typed: form.set });
    return context.redirect(addressOf(viewOptionsOf(form)), 303);
  });

  app.post("/page/reset", async (context) => {
    const form = await submittedForm(context);
    const refusal = await refusalOf(services.api?.reset() ?? Promise.resolve());
    if (refusal) return showPage(context, viewOptionsOf(form), services, { at: "reset", refusal });
    // Looks up the organization again, because a reset removes organizations that were created after startup.
    const organization = await organizationNamed(form, services);
    return context.redirect(addressOf({}, { organization: organization?.slug, reset: "done" }), 303);
  });

  app.post("/page/restore-database", async (context) => {
    const form = await submittedForm(context);
    const wanted = viewOptionsOf(form);
    const { id = "", name } = form;
    const organization = await organizationNamed(form, services);
    if (!organization) return pageNotFound(context);
    const { status, body } = await restorer.restore(organization, {
      operation: "restoreDatabase",
      databaseId: id,
      ...(name !== undefined && { name: name.trim() }),
    });
    const refusal = { status, message: errorInBody(body) };
    if (status !== 200) return showPage(context, wanted, services, { at: id, refusal, typed: name });
    return context.redirect(addressOf(wanted, { restored: id }, `database-${id}`), 303);
  });

  app.post("/page/restore-group", async (context) => {
    const form = await submittedForm(context);
    const wanted = viewOptionsOf(form);
    const { id = "" } = form;
    const organization = await organizationNamed(form, services);
    if (!organization) return pageNotFound(context);
    const { status, body } = await restorer.restore(organization, { operation: "restoreGroup", groupId: id });
    if (status !== 200)
      return showPage(context, wanted, services, { at: id, refusal: { status, message: errorInBody(body) } });
    const { failures } = body as { failures: Record<string, string> };
    if (Object.keys(failures).length > 0) return showPage(context, wanted, services, { failures });
    return context.redirect(addressOf(wanted, {}, `group-${id}`), 303);
  });
  return app;
}

interface FormProblem {
  readonly at?: string;
  readonly refusal?: { readonly status: ContentfulStatusCode; readonly message: string };
  readonly typed?: string;
  readonly failures?: Readonly<Record<string, string>>;
}

async function showPage(
  context: Context,
  wanted: Wanted,
  services: Services,
  formProblem: FormProblem = {},
): Promise<Response> {
  const shown = await view(wanted, services);
  if (!shown) return pageNotFound(context);
  const { at = "", refusal, typed, failures = {} } = formProblem;
  const places = [...shown.deletedDatabases.rows, ...shown.deletedGroups.rows].map(({ id }) => id);
  // If the database or group is no longer listed, for example because its recovery window has passed, the error is
  // shown below the heading "Deleted".
  const place = ["clock", "reset", ...places].includes(at) ? at : "deleted";
  const problems = new Map<string, Problem>([
    ...(refusal ? [[place, { message: refusal.message, ...(typed !== undefined && { typed }) }] as const] : []),
    ...Object.entries(failures).map(([id, message]) => [id, { message }] as const),
  ]);
  return context.html(overview(shown, problems), refusal?.status ?? 200);
}

const pageNotFound = (context: Context) => context.html(errorPage("This organization does not exist."), 404);

type SubmittedForm = Readonly<Record<string, string>>;

const submittedForm = async ({ req }: Context): Promise<SubmittedForm> =>
  checkedForm(Object.fromEntries(new URLSearchParams(await req.text())));

function checkedForm(form: SubmittedForm): SubmittedForm {
  for (const text of Object.values(form)) assertStorableText(text);
  return form;
}

function viewOptionsOf(form: SubmittedForm): Wanted {
  const { organization, search, group, after, log, restored, reset } = checkedForm(form);
  return {
    ...(organization && { organization }),
    ...(search && { search }),
    ...(group && { group }),
    ...(after && { after }),
    ...(log && { log }),
    ...(restored && { restored }),
    ...(reset && { reset }),
  };
}

const organizationNamed = ({ organization = "" }: SubmittedForm, { store }: Services) =>
  store.read((state) => findOrganization(state, { slug: organization }));

async function changeClock({ advance, set, do: what }: SubmittedForm, { clock }: Services): Promise<void> {
  if (advance !== undefined) await clock.advance(Number(advance));
  if (set !== undefined) await clock.set(typedInstant(set));
  if (what === "freeze") await clock.freeze();
  if (what === "run") await clock.run();
}

/**
 * Parses the value of a `datetime-local` field. The value is in UTC but has no offset, and omits the seconds if they
 * are zero.
 */
function typedInstant(text: string): Date {
  const [, minute = "", rest = text] = /^(\d+-\d\d-\d\dT\d\d:\d\d)(.*)$/.exec(text) ?? [];
  const { data } = Instant.safeParse(rest === "" ? `${minute}:00Z` : /Z|[+-]/.test(rest) ? text : `${text}Z`);
  if (!data) throw refuse.invalidInstant({ text });
  return data;
}

const errorInBody = (body: unknown): string => String((body as { error?: unknown }).error);

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

const COOKIE = "reference-page";

/**
 * Restricts access to the page. On loopback, every user of this machine may see the page. On other addresses, the
 * page asks for the key.
 */
function guardPage(app: Hono, key: string | undefined): void {
  app.use("/", guard);
  app.use("/page/*", guard);

  async function guard(context: Context, next: Next): Promise<Response | undefined> {
    context.header("Content-Security-Policy", POLICY);
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cache-Control", "no-store");
    if (isForeignChange(context.req)) return context.html(errorPage("Pages of other origins cannot do this."), 403);
    if (key === undefined) {
      if (!isLoopbackHost(context.req.header("Host")))
        return context.html(errorPage("This page is only available on this machine."), 403);
      await next();
      return undefined;
    }
    if (context.req.method === "POST" && context.req.path === "/page/sign-in") return admitToPage(context, key);
    if (!isSameSecret(pageSession(key), getCookie(context, COOKIE))) return context.html(signIn(false), 401);
    await next();
    return undefined;
  }
}

async function admitToPage(context: Context, key: string): Promise<Response> {
  const given = new URLSearchParams(await context.req.text()).get("key") ?? "";
  if (!isSameSecret(key, given.trim())) return context.html(signIn(true), 401);
  const secure = new URL(context.req.url).protocol === "https:";
  setCookie(context, COOKIE, pageSession(key), { httpOnly: true, sameSite: "Strict", path: "/", secure });
  return context.redirect("/", 303);
}

/**
 * Returns the value of the session cookie, a hash of the key. The browser does not store the key itself, because the
 * key also opens the routes under `/_reference/`.
 */
const pageSession = (key: string): string => createHash("sha256").update(`page ${key}`).digest("base64url");
