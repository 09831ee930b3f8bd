import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { openStore } from "../../platform/reference/store/open";
import { startPostgres } from "./server";

declare module "vitest" {
  export interface ProvidedContext {
    /** Addresses of the server's own database, and of an empty platform to copy. */
    postgres: { readonly admin: string; readonly template: string };
  }
}

/** Brings a PostgreSQL server for the tests of this project; it ends with them. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const [admin, template] = [server.address("postgres"), server.address("template_platform")];
  const client = new Client(admin);
  await client.connect();
  // One that does not compare texts by bytes, unless our migrations make it.
  await client.query(
    "create database template_platform template template0 locale_provider icu icu_locale 'en-US' locale 'C'",
  );
  await client.end();
  await (await openStore(template)).close();
  project.provide("postgres", { admin, template });
  return () => server.stop();
}
