import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Api, api, type Operation } from "../platform/contract/api";
import type { Request, Result } from "../platform/contract/endpoint";
import { pathOf, resultOf, Unexpected } from "./platform-call";
import { installExample } from "./project";
import type { ReadyMessage } from "./reference";
import { connect, type PromptedDatabase } from "./sql-prompt";
import type { TemporaryProject } from "./temporary-project";

const CHANGES_FOUND = 7;

const SELECT = "SELECT * FROM orders";

/** Where the README's story is played. */
export interface Scene {
  readonly stage: TemporaryProject;
  readonly platform: ReadyMessage;
  /** Name of the group that gets the databases. */
  readonly group: string;
  /** Prints what happens next, then lets it happen. */
  step<Done>(text: string, play: () => Promise<Done>): Promise<Done>;
}

/** Prints a sentence as the heading of what follows. */
export function say(text: string): void {
  const [bold, plain] = process.stdout.isTTY ? ["\u001b[1m", "\u001b[0m"] : ["", ""];
  console.log(`\n${bold}── ${text}${plain}`);
}

/** Prints a command, runs it with the real Pulumi CLI, and checks its exit code. */
async function pulumi({ stage, platform }: Scene, expected: number, ...args: string[]): Promise<void> {
  console.log(`\n$ pulumi ${args.join(" ")}`);
  const color = process.stdout.isTTY ? "always" : "never";
  const quiet = args[0] === "stack" ? [] : ["--suppress-progress"];
  const command = ["pulumi", ...args, "--non-interactive", ...quiet, "--color", color];
  const found = await stage.run(platform, command, "ignore");
  if (found !== expected) throw new Unexpected(`\`pulumi ${args[0]}\` ended with exit code ${found}, not ${expected}`);
}

const up = (scene: Scene, ...options: string[]) => pulumi(scene, 0, "up", "--yes", "--skip-preview", ...options);

/** Prints a request and sends it directly to the platform, to simulate a change outside Pulumi. */
export async function behindPulumisBack<Name extends Operation>(
  { platform }: Scene,
  operation: Name,
  request: Request<Api[Name]>,
): Promise<Result<Api[Name]>> {
  const { body } = request as { readonly body?: object };
  const sent = body ? ` -d '${JSON.stringify(body)}'` : "";
  console.log(`\n$ curl -X ${api[operation].method} ${pathOf(operation, request)}${sent}`);
  return resultOf(platform, operation, request);
}

/** Lists the live databases of the story's group. Does not rely on the platform to leave out those of other groups. */
export async function liveDatabases(scene: Pick<Scene, "platform" | "group">): Promise<readonly PromptedDatabase[]> {
  const request = { organizationSlug: scene.platform.organization, query: { group: scene.group } };
  const { databases } = await resultOf(scene.platform, "listDatabases", request);
  return databases.filter(({ group }) => group === scene.group);
}

/** Creates a database that no program declares. */
export async function createUndeclared(scene: Scene, name: string): Promise<PromptedDatabase> {
  const request = { organizationSlug: scene.platform.organization, body: { name, group: scene.group } };
  return (await behindPulumisBack(scene, "createDatabase", request)).database;
}

export async function deleteOutside(scene: Scene, { DbId }: PromptedDatabase): Promise<void> {
  const { organizationId } = scene.platform;
  await behindPulumisBack(scene, "deleteDatabaseById", { organizationId, databaseId: DbId });
}

/** Copies the example, and puts its database into the story's group. */
function writeProgram({ stage, group }: Scene): void {
  installExample("quickstart", stage.project);
  const file = join(stage.project, "index.ts");
  const [before, after, ...rest] = readFileSync(file, "utf8").split('group: "default"');
  if (after === undefined || rest.length > 0) throw new Unexpected("the program does not name one group");
  writeFileSync(file, `${before}group: "${group}"${after}`);
}

/** Writes a row to a declared database, deletes the database outside Pulumi, and gets both back with `pulumi up`. */
export async function playRestoration(scene: Scene): Promise<void> {
  const { platform, step } = scene;

  await step(
    "A TypeScript program declares a database and a token (examples/quickstart). `pulumi up` makes them.",
    async () => {
      writeProgram(scene);
      await pulumi(scene, 0, "stack", "init", "dev");
      await up(scene);
    },
  );
  await step("A second `up` has nothing to do.", () => up(scene, "--expect-no-changes"));

  const { orders, sql, row } = await step(
    "An application writes a row to the database, with the official client (@libsql/client).",
    async () => {
      const [orders] = await liveDatabases(scene);
      if (!orders) throw new Unexpected("the program has made no database");
      const query = await connect(platform, orders);
      const sql = async (statement: string) => {
        const shown = await query(statement);
        console.log(`\n${shown}`);
        return shown;
      };
      await sql("CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT, quantity INTEGER)");
      await sql("INSERT INTO orders (item, quantity) VALUES ('tea', 2)");
      const row = await sql(SELECT);
      if (!row.includes("'tea'")) throw new Unexpected("the row was not written");
      return { orders, sql, row };
    },
  );
  await step("Somebody deletes the database, without Pulumi.", async () => {
    await deleteOutside(scene, orders);
    await sql(SELECT);
  });
  await step(`A plain preview, as it runs in CI, sees it and ends with exit code ${CHANGES_FOUND}.`, () =>
    pulumi(scene, CHANGES_FOUND, "preview", "--expect-no-changes"),
  );
  await step(
    "The next `up` brings that database back, with its data and its DbId: it does not make an empty one.",
    async () => {
      await up(scene);
      const [restored] = await liveDatabases(scene);
      if (restored?.DbId !== orders.DbId) throw new Unexpected("the database has another DbId than before");
      console.log(`\nDbId before: ${orders.DbId}\nDbId now:    ${restored.DbId}`);
    },
  );
  await step("The application finds its row again, with the same address and the same token.", async () => {
    if ((await sql(SELECT)) !== row) throw new Unexpected("the row has not come back");
  });
}

/** Declares a deleted database with `import`, which restores it. */
export async function playImport(scene: Scene, { DbId }: PromptedDatabase): Promise<void> {
  const line = `new dbplatform.Database("archive", { group: "${scene.group}" }, { import: "${DbId}" });`;
  console.log(`\n$ echo '${line}' >> index.ts`);
  appendFileSync(join(scene.stage.project, "index.ts"), `\n${line}\n`);
  await up(scene);
  const restored = (await liveDatabases(scene)).some((database) => database.DbId === DbId);
  if (!restored) throw new Unexpected("the database has not come back");
}

/** Destroys what the program declares. */
export async function playDestruction(scene: Scene): Promise<void> {
  await pulumi(scene, 0, "destroy", "--yes", "--skip-preview");
  if ((await liveDatabases(scene)).length > 0) throw new Unexpected("a database is left");
}
