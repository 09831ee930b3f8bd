import { expect, test } from "vitest";
import { leftOut, parseRelease } from "../../tools/release/addresses";
import { lastRelease, unreleased, withRelease } from "../../tools/release/changelog";
import { nextVersion } from "../../tools/release/version";

const before = `# Changelog

## Unreleased

- A thing with $& in it.

## 1.2.3 (2026-11-01)

- An old thing.
`;

test("moves unreleased changes under a heading with the version and date, and leaves Unreleased empty", () => {
  const after = withRelease(before, "1.3.0", "2026-11-21");
  expect(after).toBe(before.replace("## Unreleased\n", () => "## Unreleased\n\n## 1.3.0 (2026-11-21)\n"));
  expect([lastRelease(before), lastRelease(after)]).toEqual(["1.2.3", "1.3.0"]);
  expect([unreleased(before), unreleased(after)]).toEqual(["- A thing with $& in it.", ""]);
});

test("puts all changelog entries into the first release", () => {
  const first = "# Changelog\n\n## Unreleased\n\n- All of it.\n";
  expect(lastRelease(first)).toBeUndefined();
  expect(withRelease(first, "0.1.0", "2026-11-21")).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-11-21)\n\n- All of it.\n",
  );
});

test.each([
  ["has no Unreleased section", "# Changelog\n"],
  ["has an empty Unreleased section", "## Unreleased\n\n## 1.0.0 (2026-11-01)\n\n- Old.\n"],
])("refuses a release if the changelog %s", (_what, changelog) => {
  expect(() => withRelease(changelog, "1.1.0", "2026-11-21")).toThrow("nothing stands under");
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
