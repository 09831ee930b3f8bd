import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { dependencies } from "../../package.json";
import { dependencies as generated } from "../../sdk/nodejs/package.json";
import { root } from "../../tools/run";
import { MINIMUM, PINNED } from "../../tools/versions";

/**
 * Paths of the pages that should name only current versions. `HISTORY` excludes the changelog and the decisions, which
 * also name older versions.
 */
const PLACES = /^([A-Z]+\.md|(docs|examples|platform|\.github)\/.*\.(md|json|ya?ml))$/;
const HISTORY = /^(CHANGELOG\.md|docs\/decisions\/.*)$/;

const pages = ["", "docs", "examples", "platform", ".github"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== "", withFileTypes: true })
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => PLACES.test(path) && !HISTORY.test(path) && !path.includes("node_modules")),
);

/** First version of the Pulumi CLI with `pulumi do`. The oldest supported version lacks this command. */
const OF_DO = "3.246";

/** First version of the Pulumi CLI with `pulumi policy analyze --file`. */
const OF_ANALYZE_FILE = "3.249";

/** First version of the SDK with hooks. */
const OF_HOOKS = "3.182";

/** First version of the Pulumi CLI that reads states from import files. */
const OF_IMPORTED_STATES = "3.254";

/** The first version of Node.js with the functions that `serve --sql` needs. */
const OF_SQL = "24.10";

const short = (version: string) => version.split(".").slice(0, 2).join(".");

/** Patterns that find version numbers in pages, each with the versions that may appear there. */
const STATEMENTS: readonly [what: string, stated: RegExp, right: readonly string[]][] = [
  ["Node.js", /Node\.js (\d+\.[\d.]*\d)/g, [short(MINIMUM.node), MINIMUM.node, OF_SQL]],
  [
    "Pulumi",
    /Pulumi (?:CLI )?(\d+\.[\d.]*\d)/g,
    [short(MINIMUM.cli), MINIMUM.cli, OF_DO, OF_ANALYZE_FILE, OF_IMPORTED_STATES],
  ],
  ["the SDK", /`@pulumi\/pulumi` (\d+\.[\d.]*\d)/g, [short(MINIMUM.sdk), MINIMUM.sdk, OF_HOOKS]],
  ["the SDK of an example", /"@pulumi\/pulumi": "(.*)"/g, [dependencies["@pulumi/pulumi"]]],
  ["the CLI of a pipeline", /(?:pulumi-version: |pulumi\/pulumi[\w-]*:|, pulumi )([\w.]+)/g, [PINNED.cli]],
  ["SQLite", /shows the version; it was ([\d.]+) /g, [String(process.versions.sqlite)]],
];

test.each(STATEMENTS)("every page states the correct version of %s", (_, stated, right) => {
  const found = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(stated)].map(([, version = ""]) => ({ page, version })),
  );
  expect(found).not.toEqual([]);
  expect(found.filter(({ version }) => !right.includes(version))).toEqual([]);
});

const WORKFLOWS = pages.filter((page) => /(^|\/)\.github\/workflows\//.test(page));

test("workflows name each action by one commit, with its version beside it", () => {
  const used = WORKFLOWS.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, action = ""]) => action),
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  const commits = new Set(used);
  expect(new Set([...commits].map((action) => action.split("@")[0])).size).toBe(commits.size);
});

test.each(["README.md", "docs/installation-configuration.md"])(
  "%s states the minimum versions of Node.js and Pulumi",
  (page) => {
    const text = readFileSync(join(root, page), "utf8");
    expect(text).toContain(`Node.js ${short(MINIMUM.node)} or newer and Pulumi ${short(MINIMUM.cli)} or newer`);
  },
);

test("the generated SDK requires the same version of @pulumi/pulumi as package.json", () => {
  expect(generated["@pulumi/pulumi"]).toBe(dependencies["@pulumi/pulumi"]);
});
