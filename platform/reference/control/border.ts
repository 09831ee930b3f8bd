import { createHash, timingSafeEqual } from "node:crypto";

const READING = ["GET", "HEAD"];

interface Sent {
  readonly method: string;
  header(name: string): string | undefined;
}

/** Browsers let every page send such requests, and name the page in `Origin`; programs send none. */
export const isForeignChange = (request: Sent): boolean =>
  !READING.includes(request.method) && isForeign(request.header("Origin"), request.header("Host"));

const isForeign = (origin: string | undefined, host: string | undefined): boolean =>
  origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/** On loopback, another name in `Host` means that a site has led its own name, and so a browser, to this machine. */
export function isLoopbackHost(host = ""): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  return isLoopback(new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, ""));
}

/** In a time that does not tell where they differ. */
export const isSame = (secret: string, given = ""): boolean => timingSafeEqual(digest(secret), digest(given));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
