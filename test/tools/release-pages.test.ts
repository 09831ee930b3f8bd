import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type Release, releasedFiles, releasedText, UNTRUE, untrueIn } from "../../tools/release/pages";
import { root } from "../../tools/run";

const { homepage: REPOSITORY = "https://github.com/acme/pulumi-platform" } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const RELEASE: Release = { version: "7.1.0", repository: REPOSITORY, downloadUrl: "https://example.com/files" };

const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const released = (text: string, file = "docs/page.md", release = RELEASE) => releasedText(file, text, release, root);

const files = releasedFiles(root).map((file) => ({ file, text: released(textOf(file), file) }));

test("no page or example of a release contains an untrue sentence", () => {
  expect(files.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["README.md", "docs/installation-configuration.md", "examples/ci/tokens/Pulumi.yaml"]),
  );
  expect(files.flatMap(({ file, text }) => untrueIn(file, text, RELEASE))).toEqual([]);
});

test("the next release replaces the version and the links of the last one", () => {
  const next = { ...RELEASE, version: "7.2.0" };
  const again = files.map(({ file, text }) => ({ file, text: released(text, file, next) }));
  expect(again.flatMap(({ file, text }) => untrueIn(file, text, next))).toEqual([]);
  expect(again.filter(({ text }) => text.includes(RELEASE.version))).toEqual([]);
});

test("the examples of a release name the released version, and leave the plugin to it", () => {
  const examples = files.filter(({ file }) => file.startsWith("examples/"));
  const projects = examples.filter(({ file }) => file.endsWith("Pulumi.yaml")).map(({ text }) => parse(text));
  expect(projects.length).toBeGreaterThan(5);
  expect(projects.filter(({ name, runtime, plugins }) => !name || !runtime || plugins)).toEqual([]);
  const packages = examples.filter(({ file }) => file.endsWith("package.json")).map(({ text }) => JSON.parse(text));
  const versions = packages.map((each) => ({ ...each.dependencies, ...each.devDependencies })["pulumi-dbplatform"]);
  expect(new Set(versions)).toEqual(new Set(["^7.1.0"]));
});

test("the pages that npm and the registry show link to files of the repository at the tag of the release", () => {
  const links = files.flatMap(({ text }) => [
    ...text.matchAll(new RegExp(`${REPOSITORY}/\\w+/v7\\.1\\.0/([^)#"]+)`, "g")),
  ]);
  expect(links.length).toBeGreaterThan(20);
  expect(links.flatMap(([, path = ""]) => (existsSync(join(root, path)) ? [] : path))).toEqual([]);
  const links_ =
    "![logo](logo.svg), [tests](../test), [restore](restore.md#plan), [below](#below), [site](https://a.b)";
  expect(released(links_, "docs/_index.md")).toBe(
    `![logo](${REPOSITORY}/raw/v7.1.0/docs/logo.svg), [tests](${REPOSITORY}/tree/v7.1.0/test), [restore](${REPOSITORY}/blob/v7.1.0/docs/restore.md#plan), [below](#below), [site](https://a.b)`,
  );
  expect(released('<img src="docs/logo.svg">', "README.md")).toBe(`<img src="${REPOSITORY}/raw/v7.1.0/docs/logo.svg">`);
});

/** Returns the headings without a text or a lower heading below them. */
const emptySections = (text: string): string[] =>
  [...text.replaceAll(/^```.*?^```$/gms, "code").matchAll(/^(#+) (.*)\n+(?=(#+) |(?![\s\S]))/gm)].flatMap(
    ([, marks = "", title = "", next = ""]) => (next.length <= marks.length ? [title] : []),
  );

test("every heading in a release has a text", () => {
  expect(emptySections("# A\n\n## B\n\n### C\n\n## D\n\nText.\n\n## E\n")).toEqual(["C", "E"]);
  expect(files.flatMap(({ file, text }) => emptySections(text).map((title) => `${file}: ${title}`))).toEqual([]);
});

/** Sentences that a release must not contain, by the name of the entry in `UNTRUE` that finds them. */
const SAMPLES: Readonly<Record<string, string>> = {
  "not published": "Nothing is published yet.",
  "the file of a checkout": "npm install ./pulumi-dbplatform-0.1.0.tgz",
  "packing by hand": "Run `npm ci && npm pack`.",
  "a `plugins` section": "plugins:",
  "where the plugin is": "`Pulumi.yaml` says where the plugin is:",
  "a section about a checkout": "## Python without a release",
  "a placeholder for the repository": '"pulumi-dbplatform/sdk/go/dbplatform"',
  "a mark of the release tool": "<!-- unreleased -->",
};

test.each(UNTRUE.map(({ name }) => name))("finds an untrue sentence: %s", (name) => {
  expect(untrueIn("docs/page.md", `# Page\n\n${SAMPLES[name]}\n`, RELEASE)).toContain(
    `docs/page.md:3: ${name}: ${SAMPLES[name]}`,
  );
});

test.each([
  ['"pulumi-dbplatform": "^7.0.0"', "another version"],
  ["`./pulumi_dbplatform-7.0.0-py3-none-any.whl`", "another version"],
  ["require github.com/acme/shop/sdk/go v7.0.0", "another version"],
  ["[restore](docs/restore.md)", "a relative link"],
])("finds what is out of date in a release: %s", (text, name) => {
  expect(untrueIn("README.md", text, RELEASE)).toEqual([`README.md:1: ${name}: ${text}`]);
});

test("a release without addresses keeps what is true without them", () => {
  const withoutAddresses = { version: "7.1.0" };
  const page = "`Pulumi.yaml` says where the plugin is:\n\n```yaml\nplugins:\n```\n\n[restore](restore.md)\n";
  expect(released(page, "README.md", withoutAddresses)).toBe(page);
  const untrue = releasedFiles(root).flatMap((file) =>
    untrueIn(file, released(textOf(file), file, withoutAddresses), withoutAddresses),
  );
  expect(untrue).toEqual([]);
});

test("a release without addresses says what is marked for the time before", () => {
  const page = "<!-- unreleased -->\nBefore.\n<!-- /unreleased -->\n<!-- released\nAfter.\n-->\n";
  expect(released(page, "docs/page.md", { version: "7.1.0" })).toBe("Before.\n");
});

test.each([
  ["drops a sentence, and keeps its paragraph", "One. It is not published yet: `wait`. Two.\n", "One. Two.\n"],
  ["drops a paragraph whose only sentence is untrue", "One.\n\nRun `npm pack` here.\n\nTwo.\n", "One.\n\nTwo.\n"],
  ["drops an item of a list", "- One.\n- Not published yet.\n", "- One.\n\n"],
  [
    "drops where the plugin is from an introduction",
    "`Pulumi.yaml` names the folder, and says where the plugin is:\n",
    "`Pulumi.yaml` names the folder:\n",
  ],
  [
    "keeps a sentence that introduces a block, for the check to find",
    "One. Nothing is published yet:\n",
    "One. Nothing is published yet:\n",
  ],
  ["keeps code", "    not published yet\n", "    not published yet\n"],
  [
    "installs from the registry",
    "    npm install ./pulumi-dbplatform-0.1.0.tgz x\n",
    "    npm install pulumi-dbplatform x\n",
  ],
  [
    "installs the platform's package from the registry",
    "    npm install ./emulator-for-turso-0.1.0.tgz\n",
    "    npm install emulator-for-turso\n",
  ],
  [
    "drops a section about a checkout, and what links to it",
    "# A\n\nOne. See [there](#without-a-release).\n\n## Without a release\n\nTwo.\n\n### Three\n\n## B\n\n```sh\n# C\n```\n",
    "# A\n\nOne.\n\n## B\n\n```sh\n# C\n```\n",
  ],
  [
    "shows what is marked for the release, and drops what is marked for the time before",
    "<!-- unreleased -->\nBefore.\n<!-- /unreleased -->\n<!-- released\nAfter.\n-->\n",
    "After.\n",
  ],
])("%s", (_what, before, after) => {
  expect(released(before)).toBe(after);
});

test("writes a version of Python in the name of the wheel", () => {
  const text = "`./pulumi_dbplatform-0.1.0-py3-none-any.whl`";
  expect(released(text, "docs/page.md", { version: "1.0.0-beta.2" })).toContain("pulumi_dbplatform-1.0.0b2-py3");
});
