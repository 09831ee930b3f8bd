import { createHash } from "node:crypto";
import type { Context, Hono, Next } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { isForeignChange, isLoopbackHost, isSameSecret } from "../control/guard";
import { errorPage, signIn } from "./document";

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
export function guardPage(app: Hono, key: string | undefined): void {
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
