import type { Facts } from "../../facts";

// The folder
export const folderMissing = ({ folder }: Facts<"folder">) => `there is no folder ${folder}`;
export const folderUnreadable = ({ folder, reason }: Facts<"folder" | "reason">) =>
  `folder ${folder} cannot be read (${reason})`;
export const NO_MIGRATIONS =
  "the folder has no migrations. Generate them with `npx drizzle-kit generate`, or write files with a number and `.sql`, such as `0001_orders.sql`";
export const journalUnreadable = ({ folder, reason }: Facts<"folder" | "reason">) =>
  `meta/_journal.json in ${folder} is no journal of drizzle-kit: ${reason}`;
export const journalOfOtherDialect = ({ folder, dialect }: Facts<"folder" | "dialect">) =>
  `the migrations in ${folder} are for ${dialect}. Generate them with \`dialect: "turso"\` or \`"sqlite"\``;
export const migrationFileMissing = ({ file }: Facts<"file">) => `the journal names ${file}, but there is no such file`;
export const numberMissing = ({ name }: Facts<"name">) =>
  `${name} has no number, so its place among the migrations is not known. Begin its name with one, such as 0001_`;
export const sameNumber = ({ name, other }: Facts<"name" | "other">) =>
  `${name} and ${other} have the same number, so their order is not known. Rename one of them`;
export const FOLDER_CHANGED = {
  answer: "the files in the folder have changed since this update has begun, so nothing was applied",
  advice: "Run `pulumi up` again",
} as const;

// Migrations that cannot be applied
export const statementUnfit = ({ name, statement }: Facts<"name" | "statement">) =>
  `${name} is applied in one transaction, in which this statement cannot run: ${excerpt(statement)}. Remove it from the file`;
export const migrationChanged = ({ name, applied, file }: Facts<"name" | "applied" | "file">) =>
  `${name} was changed after it was applied (SHA-256 applied: ${applied}, of the file: ${file}). Restore the file, and write the change as a new migration`;
export const appliedMissing = ({ migration }: Facts<"migration">) =>
  `the migration ${migration} was applied, but the folder does not have it. Bring the file back, for example from another branch`;
export const appliedOutOfOrder = ({ name, last }: Facts<"name" | "last">) =>
  `${name} is new, but comes before ${last}, which is applied already. Generate it again after ${last}, or set \`outOfOrder: true\` to apply it now`;
export const OWNER = "set exactly one of `database` and `group`";
export const tableFixed = ({ table, wanted }: Facts<"table" | "wanted">) =>
  `the applied migrations are listed in table ${table}, and those of this folder would be listed in ${wanted}, so all of them would be applied again. Keep the form of the folder`;
export const encryptionKeyMissing = ({ name }: Facts<"name">) =>
  `database "${name}" is encrypted. Set \`encryptionKey\` to its key`;
export const writesBlocked = ({ name, id }: Facts<"name" | "id">) =>
  `Writes to database "${name}" (${id}) are blocked (\`blockWrites\`), so no migration can be applied to it until they are allowed.`;
export const canaryMissing = ({ canary }: Facts<"canary">) =>
  `\`canary\`: the group has no database with the name or DbId "${canary}"`;

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
export const migrationsImpossible = ({ name, id, reason }: Failed) =>
  `The update fails in database "${name}" (${id}), and goes on with the others: ${reason}.`;
export const migrationsApplied = ({
  migrated,
  databases,
}: Pick<InDatabases, "databases"> & { readonly migrated: number }) =>
  `Applied the pending migrations to ${databases.length === 1 ? `database ${listed(databases)}` : `${migrated} of ${count(databases.length)}`}.`;
const unreadable = ({ databases }: Pick<InDatabases, "databases">): string =>
  `Which migrations ${databases.length === 1 ? "database" : "databases"} ${listed(databases)} ${databases.length === 1 ? "has" : "have"} could not be read`;
type Unread = Facts<"cause"> & Pick<InDatabases, "databases">;
export const unreadLedgers = ({ cause, databases }: Unread) =>
  `${unreadable({ databases })}, so this shows what the last update knew: ${cause}.`;
export const unreadBeforeCreation = ({ cause, databases }: Unread) => `${unreadable({ databases })}: ${cause}.`;
export const migrationsStay = ({ kind, id }: Facts<"kind" | "id">) =>
  `The migrations of ${kind} ${id} are no longer managed. Its tables, and the list of applied migrations, stay as they are.`;

// Rehearsals
export const migrationRehearsalNameTaken = ({ name, id }: Facts<"name" | "id">) =>
  `\`rehearse\` needs the name "${name}" for a copy, but database ${id} has it`;
export const migrationRehearsalFailed = ({ name, id, cause }: Facts<"name" | "id" | "cause">) => ({
  tried: `could not migrate a copy of database "${name}" (${id})`,
  answer: cause,
  advice: "No database was changed. Correct the file or the data, and run `pulumi up` again",
});
export const migrationRehearsalLeft = ({ name, cause }: Facts<"name" | "cause">) =>
  `Database "${name}", a copy on which migrations were rehearsed, could not be deleted: ${cause}. The next rehearsal deletes it.`;

// Failures
export const statementFailed = ({ name, statement, reason }: Facts<"name" | "statement" | "reason">) =>
  `${name}: ${reason}, in: ${excerpt(statement)}`;
export const migrationNotRecorded = ({ name, reason }: Facts<"name" | "reason">) => `${name}: ${reason}`;

interface Failed {
  readonly name: string;
  readonly id: string;
  readonly reason: string;
  readonly isUncertain?: boolean;
}

export const migrationsFailed = ({
  failed,
  migrated,
  untried,
}: {
  readonly failed: readonly Failed[];
  readonly migrated: number;
  readonly untried: number;
}) => {
  const shown = failed.slice(0, SHOWN).map(({ name, id, reason }) => `database "${name}" (${id}): ${reason}`);
  const more = failed.length - shown.length;
  const others = [
    ...(migrated > 0 ? [`${count(migrated)} ${migrated === 1 ? "was" : "were"} migrated`] : []),
    ...(untried > 0 ? [`${count(untried)} ${untried === 1 ? "was" : "were"} not tried`] : []),
  ];
  const uncertain = failed.filter(({ isUncertain }) => isUncertain);
  const effect =
    uncertain.length === 0
      ? "The failed migration has changed nothing there."
      : `The failed migration may have been applied in ${listed(uncertain)}, which the next update finds out${uncertain.length < failed.length ? ", and has changed nothing in the others" : ""}.`;
  return {
    tried: `could not migrate ${count(failed.length)}`,
    answer: `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`,
    advice: `${effect}${others.length > 0 ? ` ${others.join(", ")}.` : ""} Remove the cause, and run \`pulumi up\` again: it continues`,
  };
};

const EXCERPT = 120;

/** The beginning of a statement, in one line. */
function excerpt(statement: string): string {
  const line = statement.replace(/\s+/g, " ").trim();
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
}

export const MIGRATIONS_UNIMPORTABLE =
  "Migrations are not imported: declare them. What a database lists as applied is not applied again, also if `drizzle-orm` or `drizzle-kit` has applied it.";
