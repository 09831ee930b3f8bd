import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { leftOut, parseRelease } from "./release/addresses";
import { type PublishedFile, packPlugin, published } from "./release/archives";
import { changesIn, lastRelease, releaseNotes, withRelease } from "./release/changelog";
import { packPackage, packPlatform } from "./release/package";
import { isProven } from "./release/proof";
import { run } from "./release/run";
import { makeGoSdk, makePythonSdk } from "./release/sdks";
import { stamp } from "./release/stamp";
import { nextVersion } from "./release/version";
import { root } from "./run";

const PUBLINT = "publint@0.3.25";
const ARE_THE_TYPES_WRONG = "@arethetypeswrong/cli@0.18.5";

/** The tests of the npm package, and of everything that a release writes. */
const TESTS = ["test/package", "test/docs", "test/schema", "test/tools"];

/** The tests of what a release changes. The others need not be repeated after `.ci/run`. */
const TESTS_OF_CHANGES = [
  ...["first-minute", "package", "platform", "platform-readme", "plugin-archive", "languages"].map(
    (name) => `test/package/${name}.test.ts`,
  ),
  ...TESTS.slice(1),
];

/** Commands that fail if a tool for building the SDKs or the archives is missing. */
const NEEDED = [
  ["go", "version"],
  ["python3", "-c", "import ensurepip, venv"],
  ["tar", "--version"],
] as const;

/**
 * Prepares a release without publishing anything. All steps run in a copy of the repository. The repository gets the
 * release branch and the packed files only if every step has succeeded.
 */
async function main(args: readonly string[]): Promise<void> {
  const { wanted, addresses } = parseRelease(args);
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const version = nextVersion(wanted, lastRelease(changelog));
  const notes = releaseNotes(changelog, changesIn(root));
  const released = withRelease(changelog, version, new Date().toISOString().slice(0, 10), notes);
  if ((await run("git", ["status", "--porcelain"], root)) !== "") throw new Error("commit or stash your changes first");
  // Fails immediately if the git identity or a tool is missing, instead of minutes later.
  const identity = await committer(root);
  for (const [program, ...rest] of NEEDED) await run(program, rest, root);
  const proven = isProven(root);

  const scratch = mkdtempSync(join(tmpdir(), "dbplatform-release-"));
  const checkout = join(scratch, "checkout");
  try {
    say(`Version ${version}, in a copy of the repository`);
    await run("git", ["clone", "--quiet", root, checkout], root);
    const inCopy = (program: string, ...args: string[]) => run(program, args, checkout);
    await inCopy("npm", "ci");
    writeFileSync(join(checkout, "CHANGELOG.md"), released);
    rmSync(join(checkout, "changes"), { recursive: true, force: true });
    await stamp(version, addresses, { checkout, run });

    say(proven ? "Checks of what the release changes" : "Checks, and the tests of the package");
    await inCopy("npm", "run", "check");
    const projects = ["--project", "memory", "--project", "built"];
    await inCopy("npm", "run", "test:full", "--", ...projects, ...(proven ? TESTS_OF_CHANGES : TESTS));
    const unaudited = await audit(checkout);

    say("SDKs for other languages, by Pulumi's generators");
    const wheel = await makePythonSdk({ checkout, folder: join(scratch, "python"), run });
    const goModule = await makeGoSdk({ checkout, folder: join(scratch, "go"), run });
    if (addresses.repository) cpSync(join(scratch, "go"), join(checkout, "sdk/go"), { recursive: true });

    say("The packages");
    const packed = [packPackage(checkout, scratch), packPlatform(checkout, scratch)];
    for (const path of packed) {
      await inCopy("npx", "--yes", PUBLINT, "run", path, "--strict");
      await inCopy("npx", "--yes", ARE_THE_TYPES_WRONG, path, "--format", "ascii");
    }

    say("The plugin, for `pulumi plugin install`");
    const archives = packPlugin(checkout, version, join(scratch, "archives"));

    say("What changes");
    await inCopy("git", "add", "--all");
    await inCopy("git", ...identity, "commit", "--quiet", "--message", `Release ${version}`);
    await inCopy("git", "show", "--stat", "--format=%s");
    const tags = [`v${version}`, ...(addresses.repository ? [`sdk/go/v${version}`] : [])];
    await deliver({ version, checkout, tags, files: [...packed.map(published), published(wheel), ...archives] });
    if (addresses.repository) console.log(`  Go programs import ${goModule}/dbplatform.`);
    for (const omitted of leftOut(addresses)) console.log(omitted);
    console.log(`\n${notes}\n\n${unaudited ? `Not done: ${unaudited}` : "Nothing is known against what is bundled"}`);
    console.log(
      proven
        ? "Not repeated: what .ci/run has proven. Not run: the oldest Pulumi CLI and `npm install git+…` (npm run test:full)"
        : "Everything was run here, because .ci/run has not just passed with these files in this checkout",
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Returns git options that make commits in another clone use this repository's identity.
 *
 * @throws Error if no identity is configured.
 */
async function committer(folder: string): Promise<string[]> {
  await run("git", ["var", "GIT_AUTHOR_IDENT"], folder);
  const [, name, email] = /^(.*) <(.*)>/.exec(await run("git", ["var", "GIT_COMMITTER_IDENT"], folder)) ?? [];
  return ["-c", `user.name=${name}`, "-c", `user.email=${email}`];
}

/**
 * Checks all dependencies for known vulnerabilities, because all dependencies are bundled.
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

interface Delivery {
  readonly version: string;
  readonly checkout: string;
  readonly tags: readonly string[];
  readonly files: readonly PublishedFile[];
}

/**
 * Adds the release branch and the packed files to the repository. This is the first step that changes the repository
 * itself.
 */
async function deliver({ version, checkout, tags, files }: Delivery): Promise<void> {
  const branch = `release-${version}`;
  await run("git", ["fetch", "--quiet", checkout, `+HEAD:refs/heads/${branch}`], root);
  mkdirSync(join(root, "release"), { recursive: true });
  for (const { path } of files) copyFileSync(path, join(root, "release", basename(path)));

  say(`Ready: ${version}`);
  for (const { path, bytes, sha256 } of files)
    console.log(`release/${basename(path)}, ${bytes} bytes, sha256 ${sha256}`);
  console.log(`${branch}, a branch with one commit more than yours`);
  console.log("\nNothing was published, and your checkout is as it was. To publish:\n");
  console.log(`  git merge --ff-only ${branch}`);
  for (const tag of tags) console.log(`  git tag ${tag}`);
  console.log(`  git push origin HEAD ${tags.join(" ")}`);
  for (const name of ["pulumi-dbplatform", "emulator-for-turso"])
    console.log(`  npm publish release/${name}-${version}.tgz`);
  console.log("  Publish the wheel on PyPI, and upload the archives of the plugin to the download address.");
}

function say(text: string): void {
  console.log(`\n── ${text}\n`);
}

// Ctrl-C ends the command that is running, but not this process, so that the release can remove its temporary
// files.
process.on("SIGINT", () => {});
main(process.argv.slice(2)).catch((failure) => {
  console.error(
    `\n${failure instanceof Error ? failure.message : failure}\nNothing was published, and nothing has changed.`,
  );
  process.exitCode = 1;
});
