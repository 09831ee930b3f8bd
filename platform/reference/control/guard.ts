import { createHash, timingSafeEqual } from "node:crypto";

/** Header that contains the server's key. Servers that listen on a loopback address have no key. */
export const KEY_HEADER = "Reference-Key";

const READING = ["GET", "HEAD"];

interface BrowserRequest {
  readonly method: string;
  header(name: string): string | undefined;
}

/**
 * Returns whether the request changes something and comes from a browser page of another site. Browsers name the page's
 * site in `Origin`, and say in `Sec-Fetch-Site` how it relates to this one; other programs send neither.
 */
export const isForeignOriginChange = (request: BrowserRequest): boolean =>
  !READING.includes(request.method) &&
  (isForeign(request.header("Origin"), request.header("Host")) ||
    !OWN_SITE.includes(request.header("Sec-Fetch-Site") ?? "none"));

const isForeign = (origin: string | undefined, host: string | undefined): boolean =>
  origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);

/** Values of `Sec-Fetch-Site` for requests of this server's own pages, and of the user, without any page. */
const OWN_SITE = ["same-origin", "none"];

/** Returns whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * Returns whether `Host` is a loopback name. Any other name is a sign of DNS rebinding: a site has pointed its own
 * domain to this machine, so that the user's browser reaches this server under that domain.
 */
export function isLoopbackHost(host = ""): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  return isLoopback(new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, ""));
}

/** Compares two secrets in constant time, so that the duration reveals nothing about them. */
export const isSameSecret = (secret: string, given = ""): boolean => timingSafeEqual(digest(secret), digest(given));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
