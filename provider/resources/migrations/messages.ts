import type { Facts } from "../../facts";

// The folder
export const folderMissing = ({ folder }: Facts<"folder">) =>
  `there is no folder ${folder}. The path is relative to the folder in which Pulumi runs the program`;
export const folderUnreadable = ({ folder, reason }: Facts<"folder" | "reason">) =>
  `folder ${folder} cannot be read (${reason})`;
export const NO_MIGRATIONS =
  "the folder has no migrations. Generate them with `npx drizzle-kit generate`, or write files with a number and `.sql`, such as `0001_orders.sql`";
export const journalUnreadable = ({ folder, reason }: Facts<"folder" | "reason">) =>
  `meta/_journal.json in ${folder} is not a journal of drizzle-kit: ${reason}. Restore it, for example from version control`;
export const journalOfOtherDialect = ({ folder, dialect }: Facts<"folder" | "dialect">) =>
  `the migrations in ${folder} are for ${dialect}. Generate them with \`dialect: "turso"\` or \`"sqlite"\``;
export const listedTwice = ({ folder, tag }: Facts<"folder" | "tag">) =>
  `meta/_journal.json in ${folder} lists ${tag} twice, so it would be applied twice. Remove one of the two entries`;
export const migrationFileMissing = ({ file }: Facts<"file">) =>
  `the journal names ${file}, but the file does not exist. Restore it, for example from version control`;
export const numberMissing = ({ name }: Facts<"name">) =>
  `${name} has no number, so its place among the migrations is not known. Begin its name with one, such as 0001_`;
export const timeMissing = ({ name }: Facts<"name">) =>
  `the name of folder "${name}" does not begin with a time. Rename it, for example to 20261130051500_${name}`;
export const sameNumber = ({ name, other }: Facts<"name" | "other">) =>
  `${name} and ${other} have the same number, so their order is not known. Rename one of them`;
export const downFile = ({ name }: Facts<"name">) =>
  `${name} seems to undo a migration, and would be applied like the others. Take it out of the folder`;
export const downSection = ({ name, mark }: Facts<"name" | "mark">) =>
  `${name} has a part that undoes it ("${mark}"), and all of a file is applied. Remove this part`;
export const migrationNotUtf8 = ({ file }: Facts<"file">) => `${file} is not encoded in UTF-8. Convert it`;
export const FOLDER_CHANGED = {
  answer: "the files in the folder have changed since this update began, so nothing was applied",
  advice: "Run `pulumi up` again",
} as const;

// Migrations that cannot be applied
export const statementUnfit = ({ name, statement }: Facts<"name" | "statement">) =>
  `${name} is applied in one transaction, in which this statement cannot run: ${excerpt(statement)}. Remove it from the file`;
export const statementOfLedger = ({ name, statement }: Facts<"name" | "statement">) =>
  `${name} names the table in which its own row is: ${excerpt(statement)}. Remove this statement`;
export const LEDGER_LOST = "rows of the table that lists the applied migrations were deleted during the update";
export const lineEndsChanged = ({ name }: Facts<"name">) =>
  `${name} was applied with other line ends (LF or CRLF) than the file has now. Restore them, for example with \`*.sql text eol=lf\` in .gitattributes`;
export const migrationChanged = ({ name, applied, file }: Facts<"name" | "applied" | "file">) =>
  `${name} was changed after it was applied (SHA-256 applied: ${applied}, of the file: ${file}). Restore the file, and write the change as a new migration`;
export const appliedMissing = ({ migration }: Facts<"migration">) =>
  `the migration ${migration} was applied, but the folder does not have it. Bring the file back, for example from another branch`;
export const appliedOutOfOrder = ({ name, last }: Facts<"name" | "last">) =>
  `${name} is new, but comes before ${last}, which is applied already. Generate it again after ${last}, or set \`outOfOrder: true\` to apply it now`;
export const OWNER = "set exactly one of `database` and `group`";
export const tableFixed = ({ table, wanted }: Facts<"table" | "wanted">) =>
  `the applied migrations are listed in table ${table}, and those of this folder would be listed in ${wanted}, so all of them would be applied again. Set \`folder\` to migrations of the same kind: those of drizzle-kit, or numbered files`;
export const encryptionKeyMissing = ({ name, id }: Facts<"name" | "id">) =>
  `database "${name}" (${id}) is encrypted. Set \`encryptionKey\` to its key`;
export const writesBlocked = ({ name, id }: Facts<"name" | "id">) =>
  `Writes to database "${name}" (${id}) are blocked. To migrate it, set \`blockWrites: false\` in its configuration.`;
export const canaryMissing = ({ canary }: Facts<"canary">) =>
  `\`canary\` "${canary}" is not the name or DbId of a database of this resource. Correct it, or remove \`canary\`. If this program creates it, let this resource depend on it with \`dependsOn\``;

// What is applied
interface InDatabases {
  readonly migrations: readonly string[];
  readonly databases: readonly { readonly name: string; readonly id: string }[];
}

const SHOWN = 10;

/** Names databases, of which a group may have thousands. */
const listed = (databases: InDatabases["databases"]): string => {
  const shown = databases.slice(0, SHOWN).map(({ name, id }) => `"${name}" (${id})`);
  const more = databases.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
};

const count = (databases: number): string => (databases === 1 ? "1 database" : `${databases} databases`);

export const pendingMigrations = ({ migrations, databases }: InDatabases) =>
  `Pending in ${databases.length === 1 ? `database ${listed(databases)}` : `${count(databases.length)}: ${listed(databases)}`}: ${migrations.join(", ")}.`;
export const migrationsRefused = ({ name, id, reason }: Facts<"name" | "id" | "reason">) =>
  `database "${name}" (${id}): ${reason}`;
export const migrationsImpossible = ({ name, id, reason }: Facts<"name" | "id" | "reason">) =>
  `Migrations cannot be applied to database "${name}" (${id}), so the update will fail: ${reason}.`;
export const migrationsApplied = ({
  migrated,
  databases,
}: Pick<InDatabases, "databases"> & { readonly migrated: number }) =>
  `Applied the pending migrations to ${databases.length === 1 ? `database ${listed(databases)}` : `${migrated} of ${count(databases.length)}`}.`;
const unreadable = ({ databases }: Pick<InDatabases, "databases">): string =>
  `Could not read the applied migrations of ${databases.length === 1 ? "database" : "databases"} ${listed(databases)}`;
type Unread = Facts<"cause"> & Pick<InDatabases, "databases">;
export const unreadLedgers = ({ cause, databases, isEach }: Unread & { readonly isEach: boolean }) =>
  `${unreadable({ databases })}: ${cause}. ${isEach ? "What the last update knew is shown" : "Of these, what the last update knew is shown"}.`;
export const unreadBeforeCreation = ({ cause, databases }: Unread) =>
  `${unreadable({ databases })}: ${cause}. What is pending there is not shown.`;
export const migrationsStay = ({ kind, id }: Facts<"kind" | "id">) =>
  `The migrations of ${kind} ${id} are no longer managed. The tables, and the lists of applied migrations, stay as they are.`;

// Rehearsals
export const migrationRehearsalNameTaken = ({ name, id }: Facts<"name" | "id">) =>
  `\`rehearse\` needs the name "${name}" for a copy, but database ${id} has it. Set \`rehearse: false\` to migrate without a rehearsal`;
export const migrationRehearsalImpossible = ({ name, id, cause }: Facts<"name" | "id" | "cause">) => ({
  tried: `could not copy database "${name}" (${id}) for the rehearsal`,
  answer: cause,
  advice: "No database was changed. Run `pulumi up` again, or set `rehearse: false` to migrate without a rehearsal",
});
export const migrationRehearsalFailed = ({ name, id, cause }: Facts<"name" | "id" | "cause">) => ({
  tried: `could not migrate a copy of database "${name}" (${id})`,
  answer: cause,
  advice: "No database was changed. Remove the cause, and run `pulumi up` again",
});
export const migrationRehearsalLeft = ({ name, cause }: Facts<"name" | "cause">) =>
  `Could not delete database "${name}", on which migrations were rehearsed, if it exists: ${cause}. The next rehearsal of the same database deletes it; without one, delete it yourself.`;

// Failures
export const statementFailed = ({ name, statement, reason }: Facts<"name" | "statement" | "reason">) =>
  `${name}: ${reason}, in: ${excerpt(statement)}`;
export const migrationFailed = ({ name, reason }: Facts<"name" | "reason">) => `${name}: ${reason}`;

/** A database that could not be migrated. */
export interface Failure {
  readonly name: string;
  readonly id: string;
  readonly reason: string;
  /** Whether the migration may have been applied nevertheless. */
  readonly isUncertain: boolean;
}

export const migrationsFailed = ({
  failed,
  migrated,
  untried,
  isCancelled = false,
}: {
  readonly failed: readonly Failure[];
  readonly migrated: number;
  readonly untried: number;
  readonly isCancelled?: boolean;
}) => {
  const shown = [
    ...(isCancelled ? ["the update was cancelled, or its time limit has passed"] : []),
    ...failed.slice(0, SHOWN).map(({ name, id, reason }) => `database "${name}" (${id}): ${reason}`),
  ];
  const more = failed.length > SHOWN ? `; and ${failed.length - SHOWN} more` : "";
  const others = [
    ...(migrated > 0 ? [`${count(migrated)} ${migrated === 1 ? "was" : "were"} migrated`] : []),
    ...(untried > 0 ? [`${count(untried)} ${untried === 1 ? "was" : "were"} not tried`] : []),
  ];
  const uncertain = failed.filter(({ isUncertain }) => isUncertain);
  const effect =
    uncertain.length === 0
      ? "A failed migration has changed nothing; those before it stay applied."
      : `A failed migration may have been applied in ${listed(uncertain)}, which the next update finds out${uncertain.length < failed.length ? ", and has changed nothing in the others" : ""}.`;
  const again = isCancelled ? "Run `pulumi up` again" : "Remove the cause, and run `pulumi up` again";
  return {
    tried: `could not migrate ${failed.length > 0 ? count(failed.length) : "all databases"}`,
    answer: `${shown.join("; ")}${more}`,
    advice: `${failed.length > 0 ? `${effect} ` : ""}${others.length > 0 ? `${others.join(", ")}. ` : ""}${again}: it applies what is missing`,
  };
};

const EXCERPT = 120;

/** The beginning of a statement, in one line. */
function excerpt(statement: string): string {
  const line = statement.replace(/\s+/g, " ").trim();
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
}

export const MIGRATIONS_UNIMPORTABLE =
  "Migrations cannot be imported, and need not be: declare the resource. What a database lists as applied is not applied again, even if `drizzle-orm` or `drizzle-kit` has applied it.";
