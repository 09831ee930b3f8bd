import { message } from "../../values/message";
import type { ReferenceApi } from "../reference-api";

type Started = Pick<
  ReferenceApi,
  "url" | "organization" | "organizationId" | "apiToken" | "unrestrictedToken" | "tokens" | "key"
>;

export const INVALID_PORT = "A port must be a number from 0 to 65535.";
export const INVALID_INSTANT = "An instant must have the form 2026-01-31T12:00:00Z.";

/**
 * Reports that the data was not empty when the server started, so the seed was not inserted.
 *
 * @param seed Path of the seed file.
 */
export const seedSkipped = message(
  (seed: string) => `The data is not empty, so ${seed} was not inserted.`,
  ["seed.yaml"],
);

/**
 * The first lines that a started server prints: its address, and settings for Pulumi.
 *
 * @param header Name of the header for `key`.
 */
export const started = message(
  ({ url, organization, organizationId, apiToken, unrestrictedToken, tokens, key }: Started, header: string) =>
    [
      `Serving organization ${organization} (${organizationId}) at ${url}. Press Ctrl-C to stop.`,
      "",
      "For Pulumi, in another shell:",
      `  export DBPLATFORM_BASE_URL=${url} DBPLATFORM_ORGANIZATION=${organization}`,
      `  export DBPLATFORM_API_TOKEN=${apiToken}`,
      "",
      "For the official clients, which need an unrestricted API token:",
      `  export TURSO_API_BASEURL=${url}`,
      `  export TURSO_API_TOKEN=${unrestrictedToken}`,
      ...Object.entries(tokens).map(([name, text]) => `\nToken ${name}: ${text}`),
      ...(key === undefined ? [] : [`\n${header} header for other machines: ${key}`]),
    ].join("\n"),
  [
    {
      url: "http://127.0.0.1:8080",
      organization: "acme",
      organizationId: "0a28102d-6906-41ee-8553-eaa7715aeaf2",
      apiToken: "eyJhbGci…",
      unrestrictedToken: "eyJhbGci…",
      tokens: { ci: "eyJhbGci…" },
      key: "mC3v…",
    },
    "Reference-Key",
  ],
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
