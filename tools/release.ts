import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Addresses, leftOut, parseRelease } from "./release/addresses";
import { type Published, packPlugin, published } from "./release/archives";
import { lastRelease, unreleased, withRelease } from "./release/changelog";
import { packPackage } from "./release/package";
import { run } from "./release/run";
import { proveGo, provePython } from "./release/sdks";
import { nextVersion } from "./release/version";
import { root } from "./run";

const PUBLINT = "publint@0.3.25";
const ARE_THE_TYPES_WRONG = "@arethetypeswrong/cli@0.18.5";

/** Commands that fail if a release lacks the identity for its commit, or a tool for the SDKs and archives. */
const NEEDED = [
  ["git", "var", "GIT_COMMITTER_IDENT"],
  ["go", "version"],
  ["python3", "--version"],
  ["tar", "--version"],
] as const;

/**
 * Prepares a release without publishing anything. All steps run in a copy of the repository. The repository gets the
 * release branch and the packed files only if every step has succeeded.
 */
async function main(args: readonly string[]): Promise<void> {
  const { wanted, addresses } = parseRelease(args);
  const version = nextVersion(wanted, lastRelease(readFileSync(join(root, "CHANGELOG.md"), "utf8")));
  if ((await run("git", ["status", "--porcelain"], root)) !== "") throw new Error("commit or stash your changes first");
  // Checks each program now, because a missing program would otherwise be noticed only after some minutes.
  for (const [program, ...rest] of NEEDED) await run(program, rest, root);

  const scratch = mkdtempSync(join(tmpdir(), "dbplatform-release-"));
  const checkout = join(scratch, "checkout");
  try {
    say(`Version ${version}, in a copy of the repository`);
    await run("git", ["clone", "--quiet", root, checkout], root);
    const inCopy = (program: string, ...args: string[]) => run(program, args, checkout);
    await inCopy("npm", "ci");
    const notes = await bump(version, addresses, checkout);

    say("Checks, and the tests of the package");
    await inCopy("npm", "run", "check");
    await inCopy("npm", "test", "--", "--project", "memory", "test/package", "test/schema", "test/tools");
    const unaudited = await audit(checkout);

    say("SDKs for other languages, by Pulumi's generators");
    await provePython({ checkout, folder: join(scratch, "python"), run });
    await proveGo({ checkout, folder: join(scratch, "sdk/go"), run });

    say("The package");
    const packed = packPackage(checkout, scratch);
    await inCopy("npx", "--yes", PUBLINT, "run", packed, "--strict");
    await inCopy("npx", "--yes", ARE_THE_TYPES_WRONG, packed, "--format", "ascii");

    say("The plugin, for `pulumi plugin install`");
    const archives = packPlugin(checkout, version, join(scratch, "archives"));

    say("What changes");
    await inCopy("git", "add", "--all");
    await inCopy("git", "commit", "--quiet", "--message", `Release ${version}`);
    await inCopy("git", "show", "--stat", "--format=%s");
    await deliver({ version, checkout, files: [published(packed), ...archives] });
    for (const omitted of leftOut(addresses)) console.log(omitted);
    console.log(`\n${notes}\n\n${unaudited ? `Not done: ${unaudited}` : "Nothing is known against what is bundled"}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Sets one version, and the addresses, for the package, the schema, the plugin and the SDK. */
async function bump(version: string, { repository, downloadUrl }: Addresses, checkout: string): Promise<string> {
  const file = join(checkout, "CHANGELOG.md");
  const changelog = readFileSync(file, "utf8");
  const notes = unreleased(changelog);
  writeFileSync(file, withRelease(changelog, version, new Date().toISOString().slice(0, 10)));
  await run("npm", ["version", "--no-git-tag-version", "--allow-same-version", version], checkout);
  const ofRepository = [`homepage=${repository}`, "repository.type=git", `repository.url=git+${repository}.git`];
  if (repository) await run("npm", ["pkg", "set", ...ofRepository], checkout);
  if (downloadUrl) await run("npm", ["pkg", "set", `pulumi.server=${downloadUrl}`], checkout);
  await run("npm", ["run", "generate"], checkout);
  return notes;
}

/**
 * Checks all dependencies for known vulnerabilities, because all of them are bundled.
 *
 * @returns The reason why the check was not possible, or `undefined` if no vulnerability is known.
 * @throws Error if a dependency has a known vulnerability.
 */
async function audit(checkout: string): Promise<string | undefined> {
  try {
    await run("npm", ["audit", "--json"], checkout);
    return undefined;
  } catch (failure) {
    if (!(failure instanceof Error && typeof failure.cause === "string")) throw failure;
    const { statusCode, message } = JSON.parse(failure.cause);
    if (statusCode === undefined) throw failure;
    return `npm audit (${message})`;
  }
}

/**
 * Adds the release branch and the packed files to the repository. This is the first step that changes the repository
 * itself.
 */
async function deliver({ version, checkout, files }: { version: string; checkout: string; files: Published[] }) {
  const branch = `release-${version}`;
  await run("git", ["fetch", "--quiet", checkout, `+HEAD:refs/heads/${branch}`], root);
  mkdirSync(join(root, "release"), { recursive: true });
  for (const { path } of files) copyFileSync(path, join(root, "release", basename(path)));

  say(`Ready: ${version}`);
  for (const { path, bytes, sha256 } of files)
    console.log(`release/${basename(path)}, ${bytes} bytes, sha256 ${sha256}`);
  console.log(`${branch}, a branch with one commit more than yours`);
  console.log("\nNothing was published, and your checkout is as it was. To publish:\n");
  console.log(`  git merge --ff-only ${branch} && git tag v${version} && git push origin HEAD v${version}`);
  console.log(`  npm publish release/pulumi-dbplatform-${version}.tgz`);
  console.log("  Upload the archives of the plugin to the download address (docs/installation-configuration.md).");
}

function say(text: string): void {
  console.log(`\n── ${text}\n`);
}

// Ignores SIGINT here, because Ctrl-C ends the current step. The release then fails and removes its temporary files.
process.on("SIGINT", () => {});
main(process.argv.slice(2)).catch((failure) => {
  console.error(
    `\n${failure instanceof Error ? failure.message : failure}\nNothing was published, and nothing has changed.`,
  );
  process.exitCode = 1;
});
