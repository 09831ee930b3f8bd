import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { Command, InvalidArgumentError, Option } from "commander";
import { KEY_HEADER } from "../control/guard";
import { logFailuresAsJson } from "../journal/log";
import { orClosed } from "../or-closed";
import type { ReferenceApi, ReferenceApiOptions } from "../reference-api";
import { messageOf } from "../refusal";
import { fileUnreadable } from "../seed/messages";
import { startReferenceApi } from "../server";
import { MEMORY } from "../store/open";
import { Instant } from "../time/instant";
import { backgroundProcess, defaultBackgroundData, type StartReport, startInBackground } from "./background";
import { serverKeyInEnvironment } from "./key";
import {
  environment,
  INVALID_INSTANT,
  INVALID_PORT,
  nextInTerminal,
  seedSkipped,
  serverStarted,
  serverStartedQuietly,
  startedInBackground,
  TLS_INCOMPLETE,
  tlsMismatch,
} from "./messages";
import type { CommandName } from "./name";

interface Options
  extends Pick<
    ReferenceApiOptions,
    "seed" | "faults" | "now" | "deterministic" | "control" | "sql" | "sqlFolder" | "snapshots" | "cors"
  > {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly log?: ReferenceApiOptions["log"];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly json?: true;
  readonly background?: true;
}

export const serve = (name: CommandName) =>
  new Command("serve")
    .summary("start the server")
    .description(
      "Start the server, and run it until Ctrl-C. Prints the address, the organization and two tokens of an owner: one for the organization and an unrestricted one. DBPLATFORM_REFERENCE_KEY sets the key for the routes under /_reference/; tokens are then printed only with --json and --background.",
    )
    .option("--port <number>", "port to listen on; 0 means any free port", portNumber, 0)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option(
      "--data <place>",
      "where the data is stored: a file, :memory: (default) or postgres://user:password@host:5432/name; in the background, by default a file in your home folder",
    )
    .option("--seed <file>", "YAML file with the initial state")
    .option("--faults <file>", "YAML file with rules that make requests fail")
    .option("--now <instant>", "stop the clock at this instant (RFC 3339)", parseInstant)
    .option("--deterministic", "create the same ids and tokens at every start with empty data; on loopback only")
    .option("--sql", "make databases real ones that clients can connect to")
    .option("--sql-folder <folder>", "folder for the rows of the databases; required for --sql with PostgreSQL")
    .option("--snapshots <folder>", "folder of the snapshots; by default beside the data file")
    .option("--cors", "let pages of every origin use the platform's API")
    .option("--no-control", "serve neither the routes under /_reference/, except the health, nor the page")
    .addOption(
      new Option(
        "--log <format>",
        "format of the request log; by default text on a terminal and in the background, otherwise none",
      ).choices(["json", "text", "none"]),
    )
    .option("--tls-cert <file>", "certificate (PEM) for https; requires --tls-key")
    .option("--tls-key <file>", "private key (PEM) of the certificate")
    .option("--json", "when ready, print one line of JSON and nothing else")
    .option(
      "--background",
      `return when the server is ready, and print only the lines that set the environment; \`${name.npx} stop\` ends the server`,
    )
    .addHelpText(
      "after",
      `
Examples:
  $ ${name.npx} serve --port 8080 --data shop.db --seed seed.yaml
  $ eval "$(${name.npx} serve --background)"

With Turso's command line, after serve --port 8080:
  $ export TURSO_API_BASEURL=http://127.0.0.1:8080 TURSO_API_TOKEN=<unrestricted API token>
  $ turso org switch acme`,
    )
    .configureOutput({
      outputError: (text, write) => {
        failForEval();
        write(text);
      },
    })
    .action(async (options: Options) => {
      if (options.background && !backgroundProcess()) return serveInBackground({ ...options, command: name });
      return runServe({
        ...options,
        command: name,
        data: options.data ?? (options.background ? await defaultBackgroundData() : MEMORY),
      });
    });

type NamedOptions = Options & { readonly command: CommandName };
type OptionsWithData = NamedOptions & { readonly data: string };

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

async function runServe({
  command,
  json,
  log,
  tlsCert,
  tlsKey,
  background,
  ...options
}: OptionsWithData): Promise<void> {
  // Handles the signals during the start as well, because the first process of a container ignores them otherwise.
  const leave = () => process.exit();
  for (const signal of SIGNALS) process.once(signal, leave);
  const tls = await readTls({ cert: tlsCert, key: tlsKey });
  const format = log ?? (background || process.stderr.isTTY ? "text" : "none");
  if (format === "json") logFailuresAsJson(process.stderr);
  const key = serverKeyInEnvironment();
  const api = await startReferenceApi({
    ...options,
    log: format,
    ...(tls && { tls }),
    ...(key !== undefined && { key }),
  });
  // Installs the signal handlers before printing the address, because a program that reads the address may stop this
  // process immediately.
  const interrupt = new AbortController();
  const interrupted = once(interrupt.signal, "abort");
  const stop = () => interrupt.abort();
  for (const signal of SIGNALS) process.off(signal, leave).once(signal, stop);
  const facts = serverFacts(api, key);
  const announced = await orClosed(api, async () => backgroundProcess()?.ready(facts, options, stop));
  if (!announced) process.stdout.write(json ? startedJson(facts) : `${startedText(facts, { key, command })}\n`);
  warnIfSeedSkipped(api, options, format);
  await interrupted;
  await api.close();
  await announced?.close();
}

/** Makes `eval "$(…)"` fail, so that a script does not continue with its old environment. */
function failForEval(): void {
  const { argv } = process;
  if (argv.includes("--background") && !argv.includes("--json")) process.stdout.write("false\n");
}

/** Starts the server in the background. Standard output contains only JSON or shell commands. */
async function serveInBackground(wanted: NamedOptions): Promise<void> {
  const start = async () => {
    const options = { ...wanted, data: wanted.data ?? (await defaultBackgroundData()) };
    return { options, ...(await startInBackground(options)) };
  };
  const { port, log, data, options, ...api } = await start().catch((thrown) => {
    failForEval();
    throw thrown;
  });
  process.stdout.write(options.json ? startedJson({ ...api, log }) : `${environment({ server: api })}\n`);
  const facts = { server: api, port, keyHeader: KEY_HEADER, log, data, command: options.command.npx };
  if (!options.json) process.stderr.write(`${startedInBackground(facts)}\n`);
  if (!options.json && process.stderr.isTTY) {
    const { firstCommand } = options.command.client;
    const page = options.control === false ? {} : { page: api.url };
    process.stderr.write(`${nextInTerminal({ ...page, isEvaluated: !process.stdout.isTTY, firstCommand })}\n`);
  }
  warnIfSeedSkipped(api, options, options.log);
}

function warnIfSeedSkipped({ seeded }: StartReport, { seed }: Options, format: Options["log"]): void {
  if (seeded || seed === undefined) return;
  const message = seedSkipped({ file: String(seed) });
  process.stderr.write(`${format === "json" ? JSON.stringify({ message }) : message}\n`);
}

const startedText = (
  server: StartReport,
  { key, command }: { readonly key: string | undefined; readonly command: CommandName },
): string =>
  key === undefined
    ? serverStarted({ server, keyHeader: KEY_HEADER, client: command.client.name })
    : serverStartedQuietly({ server, command: command.words });

/** Leaves out a key that the environment contains, because whoever set it knows it. */
const serverFacts = (api: ReferenceApi, given: string | undefined): StartReport => ({
  url: api.url,
  organization: api.organization,
  organizationId: api.organizationId,
  apiToken: api.apiToken,
  unrestrictedToken: api.unrestrictedToken,
  sql: api.sql,
  tokens: api.tokens,
  ...(api.key !== undefined && given === undefined && { key: api.key }),
  seeded: api.seeded,
});

const startedJson = ({ tokens, key, log, ...api }: StartReport & { readonly log?: string }): string =>
  `${JSON.stringify({
    url: api.url,
    organization: api.organization,
    organizationId: api.organizationId,
    apiToken: api.apiToken,
    unrestrictedToken: api.unrestrictedToken,
    ...(api.sql !== undefined && { sql: api.sql }),
    ...(Object.keys(tokens).length > 0 && { tokens }),
    ...(key !== undefined && { referenceKey: key }),
    ...(log !== undefined && { log }),
  })}\n`;

function parseInstant(text: string): Date {
  const { data, success } = Instant.safeParse(text);
  if (!success) throw new InvalidArgumentError(INVALID_INSTANT);
  return data;
}

/** Parses the option `--port`: a whole number from 0 to 65535. */
export function portNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65535) throw new InvalidArgumentError(INVALID_PORT);
  return number;
}

interface TlsFiles {
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Reads the certificate and its key if both are configured. Throws if only one of them is configured or if they do not
 * match, so that the server does not start.
 */
async function readTls({ cert, key }: TlsFiles): Promise<ReferenceApiOptions["tls"]> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new Error(TLS_INCOMPLETE);
  const tls = { cert: await readPem(cert, "--tls-cert"), key: await readPem(key, "--tls-key") };
  try {
    createSecureContext(tls);
  } catch (cause) {
    throw new Error(tlsMismatch({ certFile: cert, keyFile: key, reason: messageOf(cause) }), { cause });
  }
  return tls;
}

async function readPem(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new Error(fileUnreadable({ content: option, file, reason: messageOf(cause) }), { cause });
  }
}
