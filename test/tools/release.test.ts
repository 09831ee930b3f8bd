import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { leftOut, parseRelease } from "../../tools/release/addresses";
import { changeProblems, changesIn, lastRelease, releaseNotes, withRelease } from "../../tools/release/changelog";
import { isProven, recordProof } from "../../tools/release/proof";
import { wheelReadme } from "../../tools/release/sdks";
import { nextVersion } from "../../tools/release/version";
import { SCHEMA_FILE } from "../../tools/schema";
import { MINIMUM } from "../../tools/versions";

const before = `# Changelog

## 1.2.3 (2026-11-01)

- An old thing.
`;

const CHANGES = [
  { file: "changes/a.md", text: "### Packages\n\n- A change of the package with $& in it.\n" },
  { file: "changes/b.md", text: "### Drift and previews\n\n- A change of previews.\n- Another one.\n" },
];

test("adds each change to its section of the notes, after what the changelog has there", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\nThe first.\n\n### Packages\n\n- All of it.\n";
  expect(releaseNotes(changelog, CHANGES)).toBe(
    [
      "The first.",
      "### Drift and previews\n\n- A change of previews.\n- Another one.",
      "### Packages\n\n- All of it.\n- A change of the package with $& in it.",
    ].join("\n\n"),
  );
});

test("puts the notes under a heading with the version and date, above the earlier releases", () => {
  const notes = releaseNotes(before, CHANGES.slice(0, 1));
  const after = withRelease(before, "1.3.0", "2026-11-21", notes);
  expect(after).toBe(before.replace("## 1.2.3", () => `## 1.3.0 (2026-11-21)\n\n${notes}\n\n## 1.2.3`));
  expect([lastRelease(before), lastRelease(after)]).toEqual(["1.2.3", "1.3.0"]);
});

test("moves the unreleased notes of the changelog into the first release", () => {
  const first = "# Changelog\n\n## Unreleased\n\n- All of it.\n";
  expect(lastRelease(first)).toBeUndefined();
  expect(withRelease(first, "0.1.0", "2026-11-21", releaseNotes(first, []))).toBe(
    "# Changelog\n\n## 0.1.0 (2026-11-21)\n\n- All of it.\n",
  );
});

test("refuses a release without a change", () => {
  expect(() => withRelease(before, "1.3.0", "2026-11-21", releaseNotes(before, []))).toThrow("no change to release");
});

test.each([
  ["an unknown section", "changes/a.md", "### Things\n\n- A change.\n"],
  ["no section", "changes/a.md", "- A change.\n"],
  ["no line", "changes/a.md", "### Packages\n"],
  ["a paragraph", "changes/a.md", "### Packages\n\nA change.\n"],
  ["another kind of file", "changes/a.txt", "### Packages\n\n- A change.\n"],
])("rejects a change with %s", (_what, file, text) => {
  expect(changeProblems([{ file, text }])).toEqual([expect.stringContaining(`${file} must be`)]);
  expect(() => releaseNotes(before, [{ file, text }])).toThrow(`${file} must be`);
});

test("two branches add a change without a conflict", () => {
  const folder = temporaryRepository();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" }).toString().trim();
  const main = git("branch", "--show-current");
  for (const { file, text } of CHANGES) {
    git("checkout", "--quiet", "-b", file, main);
    mkdirSync(join(folder, "changes"), { recursive: true });
    writeFileSync(join(folder, file), text);
    commitAll(folder);
  }
  git("merge", "--quiet", "--no-edit", "changes/a.md");
  expect(changesIn(folder)).toEqual(CHANGES);
});

test("a proof holds for the files that were proven, and for no others", () => {
  const folder = temporaryRepository();
  expect(isProven(folder)).toBe(false);
  recordProof(folder);
  expect(isProven(folder)).toBe(true);
  writeFileSync(join(folder, "file"), "changed");
  expect(isProven(folder)).toBe(false);
  commitAll(folder);
  expect(isProven(folder)).toBe(false);
  writeFileSync(join(folder, "file"), "changed again");
  recordProof(folder);
  commitAll(folder);
  expect(isProven(folder)).toBe(false);
});

function temporaryRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-repository-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
  git("init", "--quiet");
  git("config", "user.name", "ada");
  git("config", "user.email", "ada@example.com");
  writeFileSync(join(folder, ".gitignore"), "node_modules\n");
  writeFileSync(join(folder, "file"), "");
  commitAll(folder);
  return folder;
}

function commitAll(folder: string): void {
  execFileSync("git", ["add", "--all"], { cwd: folder });
  execFileSync("git", ["commit", "--quiet", "--message", "change"], { cwd: folder });
}

test("the page of the wheel has the description, an example and, in a release with a repository, a link", () => {
  const schema = { displayName: "Platform", description: "Databases.", version: "1.2.3" };
  const page = wheelReadme(schema, "import pulumi_dbplatform");
  expect(page).toContain("Databases.");
  expect(page).toContain("```python\nimport pulumi_dbplatform\n```");
  expect(page).not.toContain("](");
  expect(wheelReadme({ ...schema, repository: "https://example.com/repo" }, "")).toContain(
    "](https://example.com/repo/blob/v1.2.3/",
  );
});

test("the wheel needs the version of `pulumi` that the pages name", () => {
  const { language } = JSON.parse(readFileSync(SCHEMA_FILE, "utf8"));
  expect(language.python.requires).toEqual({ pulumi: `>=${MINIMUM.cli},<4.0.0` });
});

test.each([
  ["patch", "1.2.3", "1.2.4"],
  ["minor", "1.2.3", "1.3.0"],
  ["major", "1.2.3", "2.0.0"],
  ["1.3.0-beta.1", "1.2.3", "1.3.0-beta.1"],
])("resolves `%s` after version %s to %s", (wanted, released, next) => {
  expect(nextVersion(wanted, released)).toBe(next);
});

test("accepts an explicit version for the first release, but rejects `patch`", () => {
  expect(nextVersion("0.1.0", undefined)).toBe("0.1.0");
  expect(() => nextVersion("patch", undefined)).toThrow("give the version");
});

test.each([
  ["1.2.3", "1.2.3", "is not after the last release"],
  ["1.2.2", "1.2.3", "is not after the last release"],
  ["v1.2.4", "1.2.3", "give a version like"],
  ["soon", "1.2.3", "give a version like"],
])("rejects version %s after version %s", (wanted, released, why) => {
  expect(() => nextVersion(wanted, released)).toThrow(why);
});

test("rejects a release without a version", () => {
  expect(() => nextVersion(undefined, "1.2.3")).toThrow("give a version like");
});

test("parses a release's version, repository and download URL", () => {
  const args = ["0.2.0", "--repository", "https://example.com/repo", "--download-url", "https://example.com/files"];
  expect(parseRelease(args)).toEqual({
    wanted: "0.2.0",
    addresses: { repository: "https://example.com/repo", downloadUrl: "https://example.com/files" },
  });
  expect(leftOut(parseRelease(args).addresses)).toEqual([]);
});

test("strips a trailing slash or .git from addresses", () => {
  const args = ["--repository", "https://example.com/repo.git/", "--download-url", "https://example.com/files/"];
  const { repository, downloadUrl } = parseRelease(args).addresses;
  expect([repository, downloadUrl]).toEqual(["https://example.com/repo", "https://example.com/files"]);
});

test("lists the steps that a release skips without --repository and --download-url", () => {
  const { wanted, addresses } = parseRelease(["minor"]);
  expect([wanted, leftOut(addresses)]).toEqual([
    "minor",
    [expect.stringContaining("--repository"), expect.stringContaining("--download-url")],
  ]);
});

test("rejects a download URL that does not use HTTPS", () => {
  expect(() => parseRelease(["0.2.0", "--download-url", "http://example.com"])).toThrow("--download-url must be");
});
