/**
 * `npm run live`: the README's story, a restore by import, and every read of the contract, on a real organization.
 *
 * - The token has a variable of its own, which nothing else reads, and the address and the organization have no
 *   default. The ordinary settings are not taken, because a shell often has those of an organization in production.
 * - Everything that is created is in one group that the run has created, so that one request removes it. A token for
 *   this group alone would bind Pulumi as well, but could not read the organization.
 * - It does not run under `tsx`, which kills a process that has not handled a signal within 60 ms.
 * - The report has no names, no ids and no texts of the platform, so that it can be published.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../package.json";
import { settings } from "../../provider/settings";
import { callPlatform, resultOf } from "../platform-call";
import { ensurePulumiCli } from "../pulumi-cli/ensure";
import type { ReadyMessage } from "../reference";
import { say } from "../story";
import { TemporaryProject } from "../temporary-project";
import { deleteCommand, nameOfOwnGroup, PREFIX, TOKEN } from "./own-group";
import { MOST_MINUTES, playEverything } from "./play";
import { differencesIn, liveReport } from "./report";

const USAGE = `npm run live -- --organization <slug> --base-url <address>

Plays the README's story in a real organization, in a group of its own that it deletes at the end, compares all reads
with the contract, and writes a report. Costs what two small databases cost for some minutes.

Set ${TOKEN} to an API token of an admin or owner. The address of Turso Cloud is https://api.turso.tech.
No request was sent.`;

const INTERRUPTED = 130;

type Target = Omit<ReadyMessage, "organizationId">;

/** Takes the token, and all other settings of the provider, out of the environment, which other programs inherit. */
function parseTarget(args: readonly string[]): Target {
  const options = { organization: { type: "string" }, "base-url": { type: "string" } } as const;
  const { organization, "base-url": baseUrl } = parseArgs({ args: [...args], options }).values;
  const apiToken = process.env[TOKEN];
  for (const name of Object.keys(process.env)) if (name.startsWith("DBPLATFORM_")) delete process.env[name];
  if (!organization || !baseUrl || !apiToken) throw new Error(USAGE);
  const problems = settings.problems?.({ organization, baseUrl, apiToken }) ?? [];
  if (problems.length > 0) throw new Error(problems.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
  return { url: new URL(baseUrl).origin, organization, apiToken };
}

/** Reads what the run needs to know of the organization. */
async function surroundingsOf(target: Target) {
  const slug = { organizationSlug: target.organization };
  const { organization } = await resultOf(target, "retrieveOrganization", slug);
  const { groups } = await resultOf(target, "listGroups", slug);
  const { locations } = await resultOf(target, "listLocations", {});
  const { json: caller } = await callPlatform(target, "retrieveUser", {});
  const codes = Object.keys(locations);
  return {
    platform: { ...target, organizationId: organization.id },
    groupOfOtherRun: groups.find(({ name }) => name.startsWith(PREFIX)),
    // Where locations of both platforms are listed (§4.5), takes one of the newer platform.
    location: codes.find((code) => code.startsWith("aws-")) ?? codes[0],
    username: caller?.user?.username,
  };
}

async function main(): Promise<number> {
  const target = parseTarget(process.argv.slice(2));
  // Without a listener, a closed terminal or pipe would end the process before it has cleaned up.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const interrupt = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => {
      console.error("\nInterrupted: deleting what this run has created.");
      interrupt.abort();
    });
  const { bin } = await ensurePulumiCli({ signal: interrupt.signal });
  const { platform, groupOfOtherRun, ...surroundings } = await surroundingsOf(target).catch((failure) => {
    const advice = `Nothing was created. Check --organization, --base-url and ${TOKEN}`;
    throw new Error(`${failure.message}. ${advice}`, { cause: failure.cause });
  });
  if (groupOfOtherRun)
    throw new Error(
      `Group "${groupOfOtherRun.name}" (${groupOfOtherRun.uuid}) exists: another run is under way, or could not clean up. If none is under way, delete the group with its databases:\n\n    ${deleteCommand(target, groupOfOtherRun.name)}`,
    );
  interrupt.signal.throwIfAborted();

  const started = new Date();
  const signal = AbortSignal.any([interrupt.signal, AbortSignal.timeout(MOST_MINUTES * 60_000)]);
  const group = { name: nameOfOwnGroup(started), isOwn: false, databases: [] };
  console.log(`If this process is killed, delete its group:\n\n    ${deleteCommand(platform, group.name)}`);
  const stage = new TemporaryProject(bin);
  signal.addEventListener("abort", () => void stage.clear().catch(() => undefined), { once: true });
  const played = await playEverything({ stage, platform, group, ...surroundings, signal });
  if (interrupt.signal.aborted) return INTERRUPTED;

  const run = { started, version, host: new URL(platform.url).host, ...played };
  const file = join("live", `${started.toISOString().slice(0, 16).replace("T", "-").replace(":", "")}.md`);
  mkdirSync("live", { recursive: true });
  writeFileSync(file, liveReport(run));
  const differences = differencesIn(run);
  say(`${differences === 0 ? "Everything was as expected" : `Not as expected: ${differences}`}. The report is ${file}`);
  return differences === 0 ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (failure) => {
    const cause = failure instanceof Error && failure.cause instanceof Error ? ` (${failure.cause.message})` : "";
    console.error(`\n${failure instanceof Error ? failure.message : failure}${cause}`);
    process.exitCode = 1;
  },
);
