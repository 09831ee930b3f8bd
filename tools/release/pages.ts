import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Addresses } from "./addresses";
import { addressOf, type HostedVersion, withLinks } from "./links";

/** The version and the addresses that the pages of a release contain. */
export interface Release extends Addresses {
  readonly version: string;
}

/** The files of the package that people read. */
const READ = ["*.md", "platform/README.md", "docs/**/*.md", "examples/**/{*.md,package.json,Pulumi*.yaml}"];
const NOT_READ = ["AGENTS.md", "CONTRIBUTING.md", "CHANGELOG.md"];
const NOT_PACKED = /^docs\/decisions\/|(^|\/)node_modules\//;

/** Pages that npm and Pulumi's registry show on their own, where a relative link leads nowhere. */
const SHOWN_ELSEWHERE = ["README.md", "docs/_index.md", "docs/installation-configuration.md"];

const SEMVER = String.raw`\d+\.\d+\.\d+(?:-(?!py3)[\w.]+)?`;

/** Finds the version in the name of a dependency or a plugin, after what precedes the version. */
const NAMED_VERSION = new RegExp(
  String.raw`("pulumi-dbplatform": "\^|pulumi-dbplatform@|dbplatform v|/sdk/go v|\`version: )(${SEMVER})`,
  "g",
);

/** Finds the version in the name of a wheel, which Python writes differently: `1.2.3b4` for `1.2.3-beta.4`. */
const WHEEL_VERSION = /(pulumi_dbplatform-)([\w.]+)(?=-py3)/g;
const wheelVersion = (version: string): string => version.replace(/-(a|b|rc)[a-z]*\.?/, (_, stage: string) => stage);

/** A packed file of a checkout, which programs install where there is no release. */
const PACKED_FILE = new RegExp(
  String.raw`(?:\./)?(pulumi-dbplatform|emulator-for-turso)-(?:${SEMVER}|\S*\*|<version>)\.tgz`,
  "g",
);

const PLUGINS = /^plugins:\n {2}providers:\n {4}- name: dbplatform\n {6}path: .*\n/gm;
const PLUGIN_INTRODUCED = /^(.*`Pulumi\.yaml`.*?)(?:, and)? says where the plugin is:$/gm;
const NO_RELEASE = /\bwithout a release\b/i;

/** What stands for the address of the repository, without its scheme, in the path of the Go module. */
const REPOSITORY = /(?<![\w./])pulumi-dbplatform(?=\/sdk\/go\b)/g;

/** A sentence that a release must not contain. */
interface Untrue {
  readonly name: string;
  readonly found: RegExp;
  /** The address without which the sentence is true. */
  readonly given?: keyof Addresses;
}

export const UNTRUE: readonly Untrue[] = [
  {
    name: "not published",
    found:
      /\bnot (?:published|released) yet\b|\bnot yet (?:published|released)\b|\bnothing is (?:published|released)\b/i,
  },
  { name: "the file of a checkout", found: new RegExp(PACKED_FILE, "") },
  { name: "packing by hand", found: /\bnpm pack\b/, given: "downloadUrl" },
  { name: "a `plugins` section", found: /^plugins:$/, given: "downloadUrl" },
  { name: "where the plugin is", found: /\bwhere the plugin is\b/, given: "downloadUrl" },
  { name: "a section about a checkout", found: /^#+ .*\bwithout a release\b/i, given: "downloadUrl" },
  { name: "a placeholder for the repository", found: new RegExp(REPOSITORY, ""), given: "repository" },
  { name: "a mark of the release tool", found: /<!-- \/?(?:un)?released\b/ },
];

/** Returns the files in which a release writes what is true of it, relative to the checkout. */
export const releasedFiles = (checkout: string): string[] =>
  globSync(READ, { cwd: checkout })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !NOT_PACKED.test(file) && !NOT_READ.includes(file))
    .sort();

/** Writes what is true of the release into the pages and examples of a checkout. */
export function writeReleasedPages(checkout: string, release: Release): void {
  for (const file of releasedFiles(checkout)) {
    const path = join(checkout, file);
    writeFileSync(path, releasedText(file, readFileSync(path, "utf8"), release, checkout));
  }
}

/**
 * Returns what a page or an example says in a release.
 *
 * @param file Path relative to the checkout.
 */
export function releasedText(file: string, text: string, release: Release, checkout: string): string {
  const { version, repository, downloadUrl } = release;
  let said = text
    .replaceAll(NAMED_VERSION, (_, before: string) => before + version)
    .replaceAll(WHEEL_VERSION, (_, before: string) => before + wheelVersion(version));
  if (downloadUrl) said = said.replaceAll(PLUGINS, "");
  if (!file.endsWith(".md")) return said;
  said = repository && downloadUrl ? marked(said) : unreleasedText(said);
  if (repository) said = withRepository(file, said, { repository, version }, checkout);
  if (downloadUrl) said = withoutEmptyBlocks(withoutSections(said)).replaceAll(PLUGIN_INTRODUCED, "$1:");
  said = onProse(said, (prose) => withoutUntrueSentences(prose, release));
  said = said.replaceAll(PACKED_FILE, "$1").replaceAll("| not published yet |", "| open source |");
  return said.replaceAll(/\n{3,}/g, "\n\n");
}

const UNRELEASED = /^<!-- unreleased -->\n([\s\S]*?)^<!-- \/unreleased -->\n/gm;
const RELEASED = /^<!-- released\n([\s\S]*?)^-->\n/gm;

/** Drops what a page says only until the release, and shows what it says from the release on. */
const marked = (text: string): string => text.replaceAll(UNRELEASED, "").replaceAll(RELEASED, "$1");

/** Returns what a page says until a release with both addresses. */
export const unreleasedText = (text: string): string => text.replaceAll(UNRELEASED, "$1").replaceAll(RELEASED, "");

/** Drops the sections about a checkout, and the sentences that link to them. */
function withoutSections(text: string): string {
  const anchors: string[] = [];
  let level = 0;
  const kept = linesOf(text).filter(({ line, isCode }) => {
    const [, marks = "", title = ""] = (!isCode && /^(#+) (.*)$/.exec(line)) || [];
    if (marks && (level === 0 || marks.length <= level)) {
      level = NO_RELEASE.test(title) ? marks.length : 0;
      if (level > 0)
        anchors.push(
          `(#${title
            .toLowerCase()
            .replaceAll(/[^\w\- ]/g, "")
            .replaceAll(" ", "-")})`,
        );
    }
    return level === 0;
  });
  return onProse(kept.map(({ line }) => line).join("\n"), (prose) =>
    sentencesOf(prose)
      .filter((sentence) => !anchors.some((anchor) => sentence.includes(anchor)))
      .join(" "),
  );
}

const withoutEmptyBlocks = (text: string): string => text.replaceAll(/^.*:\n\n```\w*\n```\n/gm, "");

/** Keeps a sentence that introduces the block below it, because the block makes no sense without it. */
const withoutUntrueSentences = (prose: string, release: Release): string =>
  sentencesOf(prose)
    .filter((sentence) => sentence.endsWith(":") || !isUntrue(sentence, release))
    .join(" ");

const isUntrue = (sentence: string, release: Release): boolean =>
  UNTRUE.some((untrue) => applies(untrue, release) && untrue.found.test(sentence));

const applies = ({ given }: Untrue, release: Release): boolean => given === undefined || release[given] !== undefined;

/** Applies a change to each paragraph and list item. Headings, tables and code stay as they are. */
const onProse = (text: string, change: (prose: string) => string): string =>
  linesOf(text)
    .map(({ line, isCode }) => {
      const [, mark = "", prose = ""] = (!isCode && /^(\s*(?:(?:[-*]|\d+\.) )?)(?![#|<]|!\[)(\S.*)$/.exec(line)) || [];
      if (prose === "") return line;
      const changed = change(prose);
      return changed === "" ? "" : mark + changed;
    })
    .join("\n");

/** Returns the lines of a page, each with whether it is part of a block of code or of the front matter. */
function linesOf(text: string): { readonly line: string; readonly isCode: boolean }[] {
  let fence: string | undefined;
  return text.split("\n").map((line, index) => {
    const [mark] = /^(?:```|---$)/.exec(line) ?? [];
    const isEdge = mark !== undefined && (fence === undefined ? mark === "```" || index === 0 : fence === mark);
    const isCode = fence !== undefined || isEdge || /^ {4}\S/.test(line);
    if (isEdge) fence = fence === undefined ? mark : undefined;
    return { line, isCode };
  });
}

/** Splits a paragraph after each full stop that ends a sentence. */
const sentencesOf = (prose: string): string[] => prose.split(/(?<=[.!?][`"”)]*) +(?=["“(`[*A-Z])/);

/** Names the repository, and makes the links of pages absolute that are shown outside it. */
function withRepository(file: string, text: string, place: HostedVersion, checkout: string): string {
  const { repository, version } = place;
  const named = text
    .replaceAll(REPOSITORY, repository.replace(/^https:\/\//, ""))
    .replaceAll(new RegExp(`(?<=${escaped(repository)}/(?:blob|raw|tree)/v)${SEMVER}`, "g"), version);
  if (!SHOWN_ELSEWHERE.includes(file)) return named;
  return withLinks(file, named, (link) => addressOf(link, place, checkout));
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Returns the untrue sentences of a page or an example, each with its line. */
export function untrueIn(file: string, text: string, release: Release): string[] {
  const said = UNTRUE.filter((untrue) => applies(untrue, release));
  const isShownElsewhere = release.repository !== undefined && SHOWN_ELSEWHERE.includes(file);
  return text.split("\n").flatMap((line, index) => {
    const names = said.filter(({ found }) => found.test(line)).map(({ name }) => name);
    if (hasOtherVersion(line, release.version)) names.push("another version");
    if (isShownElsewhere && /\]\((?!https?:|#)|\b(?:src|srcset|href)="(?!https?:|#)/.test(line))
      names.push("a relative link");
    return names.map((name) => `${file}:${index + 1}: ${name}: ${line.trim()}`);
  });
}

const hasOtherVersion = (line: string, version: string): boolean =>
  [...line.matchAll(NAMED_VERSION)].some(([, , named]) => named !== version) ||
  [...line.matchAll(WHEEL_VERSION)].some(([, , named]) => named !== wheelVersion(version));

/**
 * Checks the pages and examples of a release.
 *
 * @throws Error with every sentence that is not true of the release.
 */
export function assertTrue(checkout: string, release: Release): void {
  const untrue = releasedFiles(checkout).flatMap((file) =>
    untrueIn(file, readFileSync(join(checkout, file), "utf8"), release),
  );
  if (untrue.length > 0) throw new Error(`these sentences are not true of the release:\n${untrue.join("\n")}`);
}
