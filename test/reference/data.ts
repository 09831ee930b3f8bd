import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { inject } from "vitest";
import { isPostgres } from "../../platform/reference/store/open";

declare module "vitest" {
  export interface ProvidedContext {
    engine: "memory" | "file" | "postgres";
  }
}

export const engine = inject("engine");

export interface Data {
  readonly place: string;
  /** Returns the names of the existing files or tables. */
  contents(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function freshData(): Promise<Data> {
  if (engine === "postgres") return freshDatabase(nameOf(inject("postgres").template));
  return emptyData();
}

export async function emptyData(): Promise<Data> {
  if (engine === "memory") return { place: ":memory:", contents: async () => [], remove: async () => undefined };
  if (engine === "postgres") return freshDatabase("template0");
  return emptyFile();
}

/** Returns data in a file, or in PostgreSQL where the tests run on it. */
export const emptyPlace = (): Promise<Data> => (engine === "memory" ? emptyFile() : emptyData());

async function emptyFile(): Promise<Data> {
  const folder = await mkdtemp(join(tmpdir(), "reference-"));
  return {
    place: join(folder, "platform.db"),
    contents: () => readdir(folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function freshDatabase(template: string): Promise<Data> {
  const { admin } = inject("postgres");
  const name = `platform_${randomBytes(6).toString("hex")}`;
  // Copies the template's files, which is faster here than writing the copy to the write-ahead log.
  await ask(admin, `create database ${name} template ${template} strategy file_copy`);
  const address = new URL(admin);
  address.pathname = name;
  return {
    place: address.href,
    contents: async () => (await ask(address.href, TABLES)).map(({ tablename }) => String(tablename)),
    remove: async () => void (await ask(admin, `drop database if exists ${name} with (force)`)),
  };
}

/** Executes SQL statements directly in the data file or PostgreSQL database, as another program would. */
export async function execute({ place }: Data, ...statements: string[]): Promise<void> {
  if (isPostgres(place)) return void (await ask(place, statements.join(";")));
  // As in the `sqlite3` program, references are not checked.
  const file = new DatabaseSync(place, { enableForeignKeyConstraints: false });
  file.exec(statements.join(";"));
  file.close();
}

const TABLES = "select tablename from pg_tables where schemaname = 'public' order by tablename";

const nameOf = (address: string): string => new URL(address).pathname.slice(1);

export async function ask(address: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client(address);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
