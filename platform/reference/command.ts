#!/usr/bin/env node
import { Command, InvalidArgumentError } from "commander";
import { KEY_HEADER } from "./control/control";
import { Instant } from "./instant";
import { type ReferenceApi, startReferenceApi } from "./server";

interface Options {
  port: number;
  host: string;
  data: string;
  seed?: string;
  now?: Date;
  json?: true;
}

const command = new Command("dbplatform-api").description("The platform's API for programs, tests and examples.");

command
  .command("serve")
  .description("Serve the API until it is interrupted.")
  .option("--port <number>", "port; 0 takes any free one", port, 0)
  .option("--host <address>", "address to listen on", "127.0.0.1")
  .option("--data <path>", "file that keeps everything; made and seeded if it does not exist", ":memory:")
  .option("--seed <file>", "YAML file with users, organizations, groups and databases to begin with")
  .option("--now <instant>", "let the clock stand still at this instant (RFC 3339)", instant)
  .option("--json", "one line of JSON when ready, nothing else")
  .action(serve);

command.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

async function serve({ seed, json, ...options }: Options): Promise<void> {
  const api = await startReferenceApi({ ...options, ...(seed !== undefined && { seed }) });
  // Whoever has read the address may end this process at once.
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  process.stdout.write(json ? `${JSON.stringify(machineReadable(api))}\n` : readable(api));
  await interrupted;
  await api.close();
}

const machineReadable = ({ url, organization, organizationId, apiToken, tokens, key }: ReferenceApi) => ({
  url,
  organization,
  organizationId,
  apiToken,
  ...(Object.keys(tokens).length > 0 && { tokens }),
  ...(key !== undefined && { referenceKey: key }),
});

function readable({ url, organization, organizationId, apiToken, tokens, key }: ReferenceApi): string {
  const lines = [
    ["address", url],
    ["organization", `${organization} (${organizationId})`],
    ["API token", apiToken],
    ...Object.entries(tokens).map(([name, text]) => [`token ${name}`, text]),
    ...(key === undefined ? [] : [[`${KEY_HEADER} header`, key]]),
  ];
  return `${lines.map(([name, value]) => `${name}: ${value}`).join("\n")}\nCtrl-C ends it.\n`;
}

function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65535) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return number;
}

function instant(text: string): Date {
  const { data, success } = Instant.safeParse(text);
  if (!success) throw new InvalidArgumentError("An instant reads 2026-01-31T12:00:00Z.");
  return data;
}
