import type { Facts, SavedSnapshot, StartedServer } from "../../values/facts";
import { shellWord } from "../../values/shell";

// serve
export const INVALID_PORT = "A port must be a number from 0 to 65535.";
export const INVALID_INSTANT = "An instant must have the form 2026-01-31T12:00:00Z.";
export const seedSkipped = ({ file }: Facts<"file">) =>
  `The data is not empty, so ${file} was not inserted. To begin with it, use other \`--data\`, such as \`:memory:\`.`;
type Server = { readonly server: StartedServer }["server"];

const forOrganization = ({ url, organization, apiToken }: Server): string[] => [
  `export DBPLATFORM_BASE_URL=${shellWord(url)} DBPLATFORM_ORGANIZATION=${organization}`,
  `export DBPLATFORM_API_TOKEN=${apiToken}`,
  "unset DBPLATFORM_ORGANIZATION_ID",
];
const forClients = ({ url, unrestrictedToken }: Server): string[] => [
  `export TURSO_API_BASEURL=${shellWord(url)}`,
  `export TURSO_API_TOKEN=${unrestrictedToken}`,
];
const secretsOnce = ({ tokens, key }: Server, keyHeader: string): string[] => [
  ...Object.entries(tokens).map(([name, text]) => `\nToken ${name}: ${text}`),
  ...(key === undefined ? [] : [`\n${keyHeader} header for other machines: ${key}`]),
];
const serving = ({ url, organization, organizationId }: Server): string =>
  `Serving organization ${organization} (${organizationId}) at ${url}`;
type StartFacts = Facts<"keyHeader"> & { readonly server: StartedServer };

export const serverStarted = ({ server, keyHeader, client }: StartFacts & Facts<"client">) =>
  [
    `${serving(server)}. Press Ctrl-C to stop.`,
    "",
    `For ${client}, in another shell:`,
    ...forOrganization(server).map((line) => `  ${line}`),
    "",
    "For the official clients, which need an unrestricted API token:",
    ...forClients(server).map((line) => `  ${line}`),
    ...(server.sql === undefined ? [] : ["", `Address of a database: ${server.sql}`]),
    ...secretsOnce(server, keyHeader),
  ].join("\n");

export const serverStartedQuietly = ({ server, command }: Facts<"command"> & { readonly server: StartedServer }) =>
  [
    `${serving(server)}. Press Ctrl-C to stop.`,
    `No token is printed, because DBPLATFORM_REFERENCE_KEY is set. To create one, run \`${command} token --url ${server.url}\` with the same key.`,
  ].join("\n");
export const environment = ({ server }: { readonly server: StartedServer }) =>
  [...forOrganization(server), ...forClients(server)].join("\n");
export const TLS_INCOMPLETE = "--tls-cert and --tls-key must be used together.";
export const tlsMismatch = ({ certFile, keyFile, reason }: Facts<"certFile" | "keyFile" | "reason">) =>
  `${certFile} and ${keyFile} are not a certificate and its private key: ${reason}`;

// Servers in the background
interface Running {
  readonly port: number;
  /** How users call this command. */
  readonly command: string;
}

const toStop = ({ port, command }: Running): string => `${command} stop --port ${port}`;

export const startedInBackground = ({
  server,
  keyHeader,
  log,
  data,
  ...running
}: StartFacts & Facts<"log", "data"> & Running) =>
  [
    `${serving(server)} in the background.`,
    data === undefined ? "Its data is in memory, and lost when the server stops." : `Its data is kept in ${data}.`,
    `Its log is ${log}. To stop the server, run \`${toStop(running)}\`.`,
    ...secretsOnce(server, keyHeader),
  ].join("\n");
export const nextInTerminal = ({ page, isEvaluated, firstCommand }: Facts<"isEvaluated" | "firstCommand", "page">) =>
  [
    ...(page === undefined ? [] : [`To see what is in it, open ${page} in a browser.`]),
    isEvaluated
      ? `This shell is ready for \`${firstCommand}\`.`
      : `Next, paste the first lines, up to the last \`export\`, into a shell, and run \`${firstCommand}\` there.`,
  ].join("\n");

const insteadOfStarting = ({ url, ...running }: Facts<"url"> & Running): string =>
  `For another shell, create a token with \`${running.command} token --url ${url}\`; to stop the server, run \`${toStop(running)}\`.`;
export const portServed = (server: Facts<"url"> & Running) =>
  `A server already runs in the background at ${server.url}. ${insteadOfStarting(server)}`;
export const dataServed = ({ place, ...server }: Facts<"place" | "url"> & Running) =>
  `A server in the background already serves ${place} at ${server.url}. ${insteadOfStarting(server)} For another server, use other \`--data\`, such as \`:memory:\`.`;
export const ENDED_EARLY = "The server ended before it was ready.";
export const notStopped = ({ url, seconds, log }: Facts<"url" | "log"> & { readonly seconds: number }) =>
  `The server at ${url} has not stopped within ${seconds} seconds. It may still be answering a request. Its log is ${log}.`;
export const foreignFolder = ({ folder }: Facts<"folder">) =>
  `${folder} must be accessible to you alone. Run \`chmod 700 ${shellWord(folder)}\`, or set TMPDIR to a folder of your own.`;
export const defaultDataUnusable = ({ folder, reason }: Facts<"folder" | "reason">) =>
  `The folder for the data, ${folder}, cannot be created: ${reason}. Select another place with \`--data\`: a file, or \`:memory:\` to keep nothing.`;
export const NOT_ON_WINDOWS =
  "Windows does not support servers in the background. Run `serve` without --background in another terminal, name it with --url in other commands, and stop it with Ctrl-C.";
export const serverStopped = ({ url, data }: Facts<"url", "data">) =>
  `Stopped the server at ${url}.${data === undefined ? "" : ` Its data stays in ${data}.`}`;
export const noServerInBackground = ({
  folder,
  option,
  wantedPort,
}: Facts<"folder" | "option"> & { readonly wantedPort?: number | undefined }) =>
  `No server in ${folder} runs in the background${wantedPort === undefined ? "" : ` on port ${wantedPort}`}. If TMPDIR was different when the server started, set it to the same folder${option === "--url" ? ", or name the server with --url" : ""}.`;
export const severalInBackground = ({ choices }: { readonly choices: readonly string[] }) =>
  `${choices.length} servers run in the background. Select one of them:${choices.map((choice) => `\n  ${choice}`).join("")}`;

// seed, token
export const seedValid = ({ file, counts }: Facts<"file"> & { readonly counts: Readonly<Record<string, number>> }) =>
  `${file} is valid: ${Object.entries(counts)
    .map((entry) => entry.join(" "))
    .join(", ")}`;
export const URL_OR_DATA = "Specify either --url, the address of a server, or --data, its data.";
export const MEMORY_UNREACHABLE =
  "Data in memory can only be used by its own server. Use --url with the address of the server.";
export const INVALID_URL = "--url must be an address such as http://127.0.0.1:8080.";
export const urlWithCredentials = ({ host }: Facts<"host">) =>
  `--url must not have a user or password. Remove the part before the @ of ${host}, and use --key.`;
export const noServer = ({ url, reason }: Facts<"url" | "reason">) => `No server responds at ${url} (${reason}).`;
export const notReferenceApi = ({ url }: Facts<"url">) =>
  `${url} is not a reference API, or was started with --no-control.`;
export const notSent = ({ reason }: Facts<"reason">) => `No request was sent: ${reason}`;
export const serverRefused = ({ url, reason }: Facts<"url" | "reason">) => `${url} refused: ${reason}`;

// snapshot
type SnapshotFacts = { readonly snapshot: SavedSnapshot };
const contentOf = ({ databases, rows }: SnapshotFacts["snapshot"]): string =>
  `${databases} ${databases === 1 ? "database" : "databases"}${rows ? " with rows" : ", without rows"}`;
export const snapshotSaved = ({ snapshot }: SnapshotFacts) =>
  `Saved snapshot ${snapshot.name}: ${contentOf(snapshot)}.`;
export const snapshotLoaded = ({ snapshot }: SnapshotFacts) =>
  `Loaded snapshot ${snapshot.name}: ${contentOf(snapshot)}.`;
export const snapshotDeleted = ({ name }: Facts<"name">) => `Deleted snapshot ${name}.`;
export const snapshotLine = ({ snapshot }: SnapshotFacts) =>
  `${snapshot.name}: ${contentOf(snapshot)}, saved ${snapshot.savedAt.slice(0, 16).replace("T", " ")} UTC`;
export const noSnapshots = ({ command }: Facts<"command">) =>
  `There are no snapshots. Save one with \`${command} snapshot save <name>\`.`;
