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

/** In a time that does not tell where they differ. */
export const isSame = (secret: string, given = ""): boolean => timingSafeEqual(digest(secret), digest(given));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
