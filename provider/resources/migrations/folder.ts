import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { messageOf } from "../../../kit/refusal";
import { type SqlStatement, statementsOf } from "../../../platform/values/sql-script";
import {
  downFile,
  downSection,
  folderMissing,
  folderUnreadable,
  journalOfOtherDialect,
  journalUnreadable,
  listedTwice,
  migrationFileMissing,
  migrationNotUtf8,
  NO_MIGRATIONS,
  numberMissing,
  sameNumber,
  statementOfLedger,
  statementUnfit,
  timeMissing,
} from "./messages";

/** A file of SQL statements that is applied as a whole. */
export class Migration {
  /** SHA-256 of the file. */
  readonly hash: string;
  #statements: readonly SqlStatement[] | undefined;

  constructor(
    /** The file's name without `.sql`; in Drizzle's newer form, the name of its folder. */
    readonly name: string,
    readonly text: string,
    /** Milliseconds since 1970, by which Drizzle orders its migrations. */
    readonly createdAt: number,
  ) {
    this.hash = hashOf(text);
  }

  /** Parsed once, although thousands of databases may lack the migration. */
  get statements(): readonly SqlStatement[] {
    this.#statements ??= this.text.split(BREAKPOINT).flatMap(statementsOf);
    return this.#statements;
  }
}

/** Drizzle's mark between statements, a comment of SQL. */
const BREAKPOINT = "--> statement-breakpoint";

/** `journal`: `drizzle-kit` until 0.31; `folders`: later; `numbered`: any other numbered files. */
type Form = "journal" | "folders" | "numbered";

export interface MigrationFolder {
  readonly form: Form;
  /** In the order in which they are applied. */
  readonly migrations: readonly Migration[];
}

/** Returns the hashes of the migrations by name. */
export const hashesOf = ({ migrations }: MigrationFolder): Record<string, string> =>
  Object.fromEntries(migrations.map(({ name, hash }) => [name, hash]));

/** Thrown if a folder cannot be read as migrations. The message ends a sentence about it. */
export class FolderProblem extends Error {}

/** Returns the migrations in a folder, whose path is relative to the program's folder. */
export function readMigrations(path: string): MigrationFolder {
  const folder = resolve(path);
  if (!existsSync(folder)) throw new FolderProblem(folderMissing({ folder }));
  try {
    return readFolder(folder);
  } catch (failure) {
    if (failure instanceof FolderProblem) throw failure;
    throw new FolderProblem(folderUnreadable({ folder, reason: messageOf(failure) }));
  }
}

function readFolder(folder: string): MigrationFolder {
  if (existsSync(join(folder, JOURNAL))) return { form: "journal", migrations: journalled(folder) };
  const entries = readdirSync(folder).sort();
  const nested = entries.filter((name) => existsSync(join(folder, name, NESTED)));
  if (nested.length > 0) return { form: "folders", migrations: nested.map((name) => nestedMigration(folder, name)) };
  return { form: "numbered", migrations: numbered(folder, entries) };
}

const JOURNAL = "meta/_journal.json";
const Journal = z.object({
  dialect: z.string(),
  entries: z.array(z.object({ tag: z.string(), when: z.number() })),
});
const DIALECTS = ["sqlite", "turso"];

function journalled(folder: string): Migration[] {
  const text = readFileSync(join(folder, JOURNAL), "utf8");
  let journal: z.output<typeof Journal>;
  try {
    journal = Journal.parse(JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause).replaceAll("\n", " ") : messageOf(cause);
    throw new FolderProblem(journalUnreadable({ folder, reason }));
  }
  const { dialect, entries } = journal;
  if (!DIALECTS.includes(dialect)) throw new FolderProblem(journalOfOtherDialect({ folder, dialect }));
  if (entries.length === 0) throw new FolderProblem(NO_MIGRATIONS);
  const tags = entries.map(({ tag }) => tag);
  const repeated = tags.find((tag, index) => tags.indexOf(tag) !== index);
  if (repeated !== undefined) throw new FolderProblem(listedTwice({ folder, tag: repeated }));
  return entries.map(({ tag, when }) => migration(join(folder, `${tag}.sql`), tag, when));
}

const NESTED = "migration.sql";

/** The name of the folder begins with a time: `20261130051500_init`. */
function nestedMigration(folder: string, name: string): Migration {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(name) ?? [];
  const [year = Number.NaN, month = 0, ...rest] = parts.map(Number);
  const createdAt = Date.UTC(year, month - 1, ...rest);
  if (Number.isNaN(createdAt)) throw new FolderProblem(timeMissing({ name }));
  return migration(join(folder, name, NESTED), name, createdAt);
}

function numbered(folder: string, entries: readonly string[]): Migration[] {
  const files = entries.filter((name) => SQL_FILE.test(name));
  if (files.length === 0) throw new FolderProblem(NO_MIGRATIONS);
  const byNumber = new Map<bigint, string>();
  for (const file of files) {
    const [digits] = /^\d+/.exec(file) ?? [];
    if (DOWN_FILE.test(file)) throw new FolderProblem(downFile({ name: file }));
    if (digits === undefined) throw new FolderProblem(numberMissing({ name: file }));
    const other = byNumber.get(BigInt(digits));
    if (other !== undefined) throw new FolderProblem(sameNumber({ name: other, other: file }));
    byNumber.set(BigInt(digits), file);
  }
  const ordered = [...byNumber].sort(([one], [other]) => (one < other ? -1 : 1));
  return ordered.map(([, file]) => {
    const found = migration(join(folder, file), file.replace(SQL_FILE, ""), 0);
    const [down] = DOWN_SECTION.exec(found.text) ?? [];
    if (down !== undefined) throw new FolderProblem(downSection({ name: file, mark: down.trim() }));
    return found;
  });
}

const SQL_FILE = /\.sql$/i;
/** How other tools mark what undoes a migration, and would be run like everything else. */
const DOWN_FILE = /[._-](down|undo|rollback)\.sql$/i;
const DOWN_SECTION = /^\s*--\s*(migrate:down|\+goose\s+down|\+migrate\s+down|\/\/@undo|rollback\b).*$/im;

function migration(path: string, name: string, createdAt: number): Migration {
  if (!existsSync(path)) throw new FolderProblem(migrationFileMissing({ file: path }));
  return new Migration(name, utf8Of(path), createdAt);
}

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function utf8Of(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (failure) {
    if (failure instanceof TypeError) throw new FolderProblem(migrationNotUtf8({ file: path }));
    throw failure;
  }
}

/** Statements that would end the transaction of a migration, or cannot run in one. */
const UNFIT = ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "VACUUM", "ATTACH", "DETACH"];

/** Returns why one of the migrations cannot be applied in one transaction, or `undefined`. */
export const firstUnfit = (migrations: readonly Migration[]): string | undefined =>
  migrations.map(reasonUnfit).find((reason) => reason !== undefined);

function reasonUnfit({ name, statements }: Migration): string | undefined {
  const unfit = statements.find(({ words: [first = ""] }) => UNFIT.includes(first));
  if (unfit) return statementUnfit({ name, statement: unfit.text });
  const changing = statements.find((statement) => LEDGER.test(statement.text));
  return changing && statementOfLedger({ name, statement: changing.text });
}

/** The tables that list the applied migrations. */
const LEDGER = /\b__(drizzle|dbplatform)_migrations\b/i;
