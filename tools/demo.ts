import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { installExample } from "./project";
import { ensurePulumiCli } from "./pulumi-cli/ensure";
import type { ReadyMessage } from "./reference";
import { build } from "./run";
import { connect } from "./sql-prompt";
import { TemporaryProject } from "./temporary-project";

const CHANGES_FOUND = 7;

const SELECT = "SELECT * FROM orders";

function say(text: string): void {
  const [bold, plain] = process.stdout.isTTY ? ["\u001b[1m", "\u001b[0m"] : ["", ""];
  console.log(`\n${bold}── ${text}${plain}`);
}

/** Prints a command and runs it with the real Pulumi CLI. Returns the exit code. */
function pulumiOn(stage: TemporaryProject, platform: ReadyMessage, args: readonly string[]): Promise<number> {
  console.log(`\n$ pulumi ${args.join(" ")}`);
  const color = process.stdout.isTTY ? "always" : "never";
  const quiet = args[0] === "stack" ? [] : ["--suppress-progress"];
  return stage.run(platform, ["pulumi", ...args, "--non-interactive", ...quiet, "--color", color], "ignore");
}

async function expectCode(expected: number, code: Promise<number>): Promise<void> {
  const found = await code;
  if (found !== expected) throw new Error(`the command ended with exit code ${found}, not ${expected}`);
}

/** Sends a request directly to the platform, to simulate a change outside Pulumi. */
async function behindPulumisBack(
  platform: ReadyMessage,
  method: "POST" | "DELETE" | "GET",
  path: string,
  body?: object,
) {
  console.log(`\n$ curl -X ${method} ${path}${body ? ` -d '${JSON.stringify(body)}'` : ""}`);
  const answer = await request(platform.url + path, {
    method,
    headers: { authorization: `Bearer ${platform.apiToken}`, "content-type": "application/json" },
    body: body ? JSON.stringify(body) : null,
  });
  if (answer.statusCode !== 200) throw new Error(`${method} ${path} was answered ${answer.statusCode}`);
  return (await answer.body.json()) as { database: { DbId: string }; databases: { Name: string; DbId: string }[] };
}

async function play(stage: TemporaryProject): Promise<void> {
  say("The reference API is started on a free port, with one organization and one group in it.");
  const platform = await stage.platform();
  console.log(`\n${platform.url}, organization "${platform.organization}"`);
  const pulumi = (...args: string[]) => pulumiOn(stage, platform, args);
  const v1 = `/v1/organizations/${platform.organization}/databases`;
  const v3 = `/v3/organizations/${platform.organizationId}/databases`;
  const living = async () => (await behindPulumisBack(platform, "GET", v1)).databases;

  say("A TypeScript program declares a database and a token (examples/quickstart). `pulumi up` makes them.");
  installExample("quickstart", stage.project);
  await expectCode(0, pulumi("stack", "init", "dev"));
  await expectCode(0, pulumi("up", "--yes", "--skip-preview"));

  say("A second `up` has nothing to do.");
  await expectCode(0, pulumi("up", "--yes", "--skip-preview", "--expect-no-changes"));

  say("An application writes a row to the database, with the official client (@libsql/client).");
  const [orders] = await living();
  if (!orders) throw new Error("the program has made no database");
  const query = await connect(platform, orders);
  const sql = async (statement: string) => {
    const shown = await query(statement);
    console.log(`\n${shown}`);
    return shown;
  };
  await sql("CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT, quantity INTEGER)");
  await sql("INSERT INTO orders (item, quantity) VALUES ('tea', 2)");
  const row = await sql(SELECT);

  say("Somebody deletes the database, without Pulumi.");
  await behindPulumisBack(platform, "DELETE", `${v3}/${orders.DbId}`);
  await sql(SELECT);

  say(`A plain preview, as it runs in CI, sees it and ends with exit code ${CHANGES_FOUND}.`);
  await expectCode(CHANGES_FOUND, pulumi("preview", "--expect-no-changes"));

  say("The next `up` brings that database back, with its data and its DbId: it does not make an empty one.");
  await expectCode(0, pulumi("up", "--yes", "--skip-preview"));
  const [restored] = await living();
  if (restored?.DbId !== orders.DbId) throw new Error(`${restored?.DbId} is not ${orders.DbId}`);
  console.log(`\nDbId before: ${orders.DbId}\nDbId now:    ${restored.DbId}`);

  say("The application finds its row again, with the same address and the same token.");
  if ((await sql(SELECT)) !== row) throw new Error("the row has not come back");

  say("Another database is made and deleted, and never was in a program. `import` with its DbId restores it.");
  const { database } = await behindPulumisBack(platform, "POST", v1, { name: "archive", group: "default" });
  await behindPulumisBack(platform, "DELETE", `${v3}/${database.DbId}`);
  const line = `new dbplatform.Database("archive", { group: "default" }, { import: "${database.DbId}" });`;
  console.log(`\n$ echo '${line}' >> index.ts`);
  appendFileSync(join(stage.project, "index.ts"), `\n${line}\n`);
  await expectCode(0, pulumi("up", "--yes", "--skip-preview"));

  say("`pulumi destroy` deletes what the program declared, and nothing is left.");
  await expectCode(0, pulumi("destroy", "--yes", "--skip-preview"));
  if ((await living()).length > 0) throw new Error("a database is left");
}

async function main(): Promise<void> {
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  const { bin } = await ensurePulumiCli({ signal: interrupt.signal });
  await build();
  const started = Date.now();
  const stage = new TemporaryProject(bin);
  const stop = () => stage.clear().finally(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  try {
    await play(stage);
  } finally {
    await stage.clear();
  }
  say(`Done in ${Math.round((Date.now() - started) / 1000)} s. Nothing is left running.`);
}

main().catch((failure) => {
  console.error(`\n${failure instanceof Error ? failure.message : failure}`);
  process.exitCode = 1;
});
