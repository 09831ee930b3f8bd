import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { openStore } from "../../platform/reference/store/open";
import { startPostgres } from "./server";

declare module "vitest" {
  export interface ProvidedContext {
    /**
     * `admin` is the URL of the server's default database. `template` is the URL of a database with an empty platform,
     * which tests copy.
     */
    postgres: { readonly admin: string; readonly template: string };
  }
}

/** Starts a PostgreSQL server for the tests of this project, and stops it after the tests. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const [admin, template] = [server.address("postgres"), server.address("template_platform")];
  const client = new Client(admin);
  await client.connect();
  // Creates a template that sorts text by language rules, so that tests pass only if our migrations make comparisons
  // bytewise.
  await client.query(
    "create database template_platform template template0 locale_provider icu icu_locale 'en-US' locale 'C'",
  );
  await client.end();
  await (await openStore(template)).close();
  project.provide("postgres", { admin, template });
  return () => server.stop();
}
