import { Hono } from "hono";
import { openApiDocument } from "./document";

/** The description of the platform's API, for programs and for people. */
export function openApi(): Hono {
  const app = new Hono();
  let document: string | undefined;
  app.get("/openapi.json", (context) => {
    document ??= JSON.stringify(openApiDocument());
    return context.body(document, 200, { "Content-Type": "application/json" });
  });
  return app;
}
