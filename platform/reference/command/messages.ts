import { message } from "../../values/message";
import type { ReferenceApi } from "../reference-api";

/** The details that the server reports at startup. */
export type Started = Pick<
  ReferenceApi,
  "url" | "organization" | "organizationId" | "apiToken" | "unrestrictedToken" | "sql" | "tokens" | "key" | "seeded"
>;

export const INVALID_PORT = "A port must be a number from 0 to 65535.";
export const INVALID_INSTANT = "An instant must have the form 2026-01-31T12:00:00Z.";

/**
 * Reports that the data was not empty when the server started, so the seed was not inserted.
 *
 * @param seed Path of the seed file.
 */
export const seedSkipped = message(
  (seed: string) =>
    `The data is not empty, so ${seed} was not inserted. To begin with it, use other \`--data\`, such as \`:memory:\`.`,
  ["seed.yaml"],
);

const START = {
  url: "http://127.0.0.1:8080",
  organization: "acme",
  organizationId: "0a28102d-6906-41ee-8553-eaa7715aeaf2",
  apiToken: "eyJhbGci…",
  unrestrictedToken: "eyJhbGci…",
  tokens: { ci: "eyJhbGci…" },
  key: "mC3v…",
  seeded: true,
};

/** Returns the port of a server's address. These addresses always contain a port. */
export const portOf = (url: string): number => Number(/\d+$/.exec(url));

/** Quotes text that contains characters with a special meaning in a shell. */
const quoted = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : `'${text}'`);

const forPulumi = ({ url, organization, apiToken }: Started): string[] => [
  `export DBPLATFORM_BASE_URL=${quoted(url)} DBPLATFORM_ORGANIZATION=${organization}`,
  `export DBPLATFORM_API_TOKEN=${apiToken}`,
  "unset DBPLATFORM_ORGANIZATION_ID",
];
const forClients = ({ url, unrestrictedToken }: Started): string[] => [
  `export TURSO_API_BASEURL=${quoted(url)}`,
  `export TURSO_API_TOKEN=${unrestrictedToken}`,
];
const secretsOnce = ({ tokens, key }: Started, header: string): string[] => [
  ...Object.entries(tokens).map(([name, text]) => `\nToken ${name}: ${text}`),
  ...(key === undefined ? [] : [`\n${header} header for other machines: ${key}`]),
];

/**
 * Reports the address of the started server, and how clients connect to it.
 *
 * @param header Name of the HTTP header in which clients send `api.key`.
 */
export const started = message(
  (api: Started, header: string) =>
    [
      `Serving organization ${api.organization} (${api.organizationId}) at ${api.url}. Press Ctrl-C to stop.`,
      "",
      "For Pulumi, in another shell:",
      ...forPulumi(api).map((line) => `  ${line}`),
      "",
      "For the official clients, which need an unrestricted API token:",
      ...forClients(api).map((line) => `  ${line}`),
      ...(api.sql === undefined ? [] : ["", `Address of a database: ${api.sql}`]),
      ...secretsOnce(api, header),
    ].join("\n"),
  [START, "Reference-Key"],
  [{ ...START, sql: "http://127.0.0.1:8080/sql/{DbId}/" }, "Reference-Key"],
);

/** Returns commands that set environment variables when a POSIX shell evaluates them. */
export const environment = message(
  (api: Started) => [...forPulumi(api), ...forClients(api)].join("\n"),
  [START],
  [{ ...START, url: "http://[::1]:8080" }],
);

/**
 * @param header Name of the HTTP header in which clients send `api.key`.
 * @param files Path of the log, and where the data is stored; undefined for data in memory.
 */
export const startedInBackground = message(
  (api: Started, header: string, { log, data }: { readonly log: string; readonly data: string | undefined }) =>
    [
      `Serving organization ${api.organization} (${api.organizationId}) at ${api.url} in the background.`,
      data === undefined
        ? "Its data is in memory: before you stop the server, run `pulumi destroy` for stacks that use it."
        : `Its data is kept in ${data}.`,
      `Its log is ${log}. To stop the server, run \`npx dbplatform-api stop --port ${portOf(api.url)}\`.`,
      ...secretsOnce(api, header),
    ].join("\n"),
  [START, "Reference-Key", { log: "/tmp/dbplatform-api-1000/0c54a2a2.log", data: "/home/ada/shop.db" }],
  [START, "Reference-Key", { log: "/tmp/dbplatform-api-1000/0c54a2a2.log", data: undefined }],
);

const insteadOfStarting = (url: string): string =>
  `For another shell, create a token with \`npx dbplatform-api token --url ${url}\`; to stop the server, run \`npx dbplatform-api stop --port ${portOf(url)}\`.`;

export const portServed = message(
  (url: string) => `A server already runs in the background at ${url}. ${insteadOfStarting(url)}`,
  ["http://127.0.0.1:8080"],
);
export const dataServed = message(
  (data: string, url: string) =>
    `A server in the background already serves ${data} at ${url}. ${insteadOfStarting(url)} For another server, use other \`--data\`, such as \`:memory:\`.`,
  ["shop.db", "http://127.0.0.1:8080"],
);
export const ENDED_EARLY = "The server ended before it was ready.";
export const unresponsive = message(
  (log: string) => `A server in the background does not respond. Its log is ${log}.`,
  ["/tmp/dbplatform-api-1000/0c54a2a2.log"],
);
export const foreignFolder = message(
  (folder: string) =>
    `${folder} must be accessible to you alone. Run \`chmod 700 ${quoted(folder)}\`, or set TMPDIR to a folder of your own.`,
  ["/tmp/dbplatform-api-1000"],
);
export const folderTooLong = message(
  (folder: string) => `The path ${folder} is too long for a socket. Set TMPDIR to a folder with a shorter path.`,
  [`/tmp/${"long/".repeat(20)}dbplatform-api-1000`],
);
export const defaultDataUnusable = message(
  (folder: string, reason: string) =>
    `The folder for the data, ${folder}, cannot be created: ${reason}. Select another place with \`--data\`: a file, or \`:memory:\` to keep nothing.`,
  ["/home/ada/.local/share/dbplatform-api", "EACCES: permission denied"],
);
export const NOT_ON_WINDOWS =
  "Windows does not support servers in the background. Run `npx dbplatform-api serve` in another terminal, and stop it with Ctrl-C.";

/** @param data Where the data is stored; undefined for data in memory. */
export const stopped = message(
  (url: string, data: string | undefined) =>
    `Stopped the server at ${url}.${data === undefined ? "" : ` Its data stays in ${data}.`}`,
  ["http://127.0.0.1:8080", "/home/ada/shop.db"],
  ["http://127.0.0.1:8080", undefined],
);
export const nothingToStop = message(
  (folder: string, port?: number) =>
    `No server in ${folder} runs in the background${port === undefined ? "" : ` on port ${port}`}. If TMPDIR was different when the server started, set it to the same folder.`,
  ["/tmp/dbplatform-api-1000"],
  ["/tmp/dbplatform-api-1000", 8080],
);
export const severalToStop = message(
  (ports: readonly number[]) =>
    [
      `${ports.length} servers run in the background. To stop one of them, run:`,
      ...ports.map((port) => `  npx dbplatform-api stop --port ${port}`),
    ].join("\n"),
  [[8080, 8081]],
);

export const TLS_INCOMPLETE = "--tls-cert and --tls-key must be used together.";
export const tlsMismatch = message(
  (cert: string, key: string, reason: string) =>
    `${cert} and ${key} are not a certificate and its private key: ${reason}`,
  ["cert.pem", "key.pem", "key values mismatch"],
);
export const fileUnreadable = message(
  (option: string, path: string, reason: string) => `Cannot read ${path} (${option}): ${reason}`,
  ["--tls-cert", "cert.pem", "ENOENT: no such file or directory, open 'cert.pem'"],
);

/**
 * Reports that a seed file has no mistakes.
 *
 * @param counts Number of objects in the seed, by kind.
 */
export const seedValid = message(
  (file: string, counts: Readonly<Record<string, number>>) =>
    `${file} is valid: ${Object.entries(counts)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", ")}`,
  ["seed.yaml", { users: 2, organizations: 1, groups: 2, databases: 3, tokens: 1 }],
);

export const URL_OR_DATA = "Specify either --url, the address of a server, or --data, its data.";
export const MEMORY_UNREACHABLE =
  "Data in memory can only be used by its own server. Use --url with the address of the server.";
export const INVALID_URL = "--url must be an address such as http://127.0.0.1:8080.";
export const urlWithCredentials = message(
  (host: string) => `--url must not have a user or password. Remove the part before the @ of ${host}, and use --key.`,
  ["127.0.0.1:8080"],
);
export const noServer = message((url: string) => `No server responds at ${url}.`, ["http://127.0.0.1:8080"]);
export const notReferenceApi = message(
  (url: string) => `${url} is not a reference API, or was started with --no-control.`,
  ["https://db.example"],
);
export const tokenRefused = message(
  (url: string, reason: string) => `${url} refused to create the token: ${reason}`,
  ["http://127.0.0.1:8080", 'the reference API has no group "shop"'],
);
