import { Hono } from "hono";
import { html } from "hono/html";
import { asset } from "../assets";

/**
 * The logo that Redoc loads from its maker's server. It is replaced, because the page must not load anything from other
 * hosts.
 */
const LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";
const NO_LOGO = "data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27/%3E";

/** The content security policy for Redoc, which adds inline styles and runs its search in a worker from a blob URL. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the OpenAPI document of the platform's API, and a page that shows the document. */
export function openApiRoutes({ hasPage }: { hasPage: boolean }): Hono {
  const app = new Hono();
  let document: Promise<string> | undefined;
  app.get("/openapi.json", async (context) => {
    document ??= documentText();
    return context.body(await document, 200, { "Content-Type": "application/json" });
  });

  app.get("/docs", (context) => {
    context.header("Content-Security-Policy", POLICY);
    return context.html(docsPage(hasPage));
  });
  const scripts = { "docs.js": () => asset("docs.js"), "redoc.js": redocScript };
  for (const [name, text] of Object.entries(scripts))
    app.get(`/docs/${name}`, (context) => context.body(text(), 200, { "Content-Type": "text/javascript" }));
  app.get("/docs/docs.css", (context) => context.body(asset("docs.css"), 200, { "Content-Type": "text/css" }));
  return app;
}

/** Returns the OpenAPI document. The imports are dynamic, because most servers never serve the document. */
async function documentText(): Promise<string> {
  const { openApiDocument } = await import("./document.js");
  const { examples } = await import("./examples.js");
  return JSON.stringify(openApiDocument(await examples()));
}

const redocScript = (): string => asset("redoc.standalone.js").replace(LOGO, NO_LOGO);

const docsPage = (hasPage: boolean) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Database Platform Management API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/docs.css">
    <script src="/docs/redoc.js" defer></script>
    <script src="/docs/docs.js" defer></script>
  </head>
  <body>
    ${hasPage ? html`<header><a href="/">Back to the reference API</a></header>` : ""}
    <main id="docs"><noscript>This page requires JavaScript. The same description is in <a href="/openapi.json">openapi.json</a>.</noscript></main>
  </body>
</html>`;
