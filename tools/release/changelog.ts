import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The sections of the notes of a release, in their order. */
const SECTIONS = [
  "Resources and functions",
  "Drift and previews",
  "Imports and adoption",
  "Connections, tokens and errors",
  "The reference API",
  "Packages",
];

/** A change since the last release, as a file in `changes` describes it. */
export interface ChangelogEntry {
  readonly file: string;
  readonly text: string;
}

const UNRELEASED = /^## Unreleased\n(?<notes>[\s\S]*?)(?=^## |(?![\s\S]))/m;
const CHANGE = /^### (?<section>.+)\n\n(?<lines>(?:- \S.*\n)+)$/;
const SECTION = /^### (?<section>.+)\n\n(?<lines>[\s\S]*?)(?=^### |(?![\s\S]))/gm;

/** Returns the version of the last release: the topmost section with a date, for example `## 1.2.3 (2026-11-21)`. */
export const lastRelease = (changelog: string): string | undefined =>
  /^## (\S+) \(\d{4}-\d\d-\d\d\)$/m.exec(changelog)?.[1];

/** Returns the changes since the last release, by the name of their file. */
export const changesIn = (checkout: string): ChangelogEntry[] =>
  globSync("changes/*", { cwd: checkout })
    .sort()
    .map((file) => ({ file, text: readFileSync(join(checkout, file), "utf8") }));

/** Returns the changes that are not one heading of a section followed by lines that begin with `- `. */
export const changeProblems = (changes: readonly ChangelogEntry[]): string[] =>
  changes.flatMap(({ file, text }) => {
    const { section } = (file.endsWith(".md") && CHANGE.exec(text)?.groups) || {};
    if (section !== undefined && SECTIONS.includes(section)) return [];
    return [`${file} must be one of the headings "### ${SECTIONS.join('", "### ')}", an empty line, and lines "- …"`];
  });

/**
 * Returns the notes of the next release: what stands under "Unreleased" in the changelog, and the changes, by section.
 *
 * @throws Error if a change is malformed.
 */
export function releaseNotes(changelog: string, changes: readonly ChangelogEntry[]): string {
  const problems = changeProblems(changes);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const unreleased = `${UNRELEASED.exec(changelog)?.groups?.notes?.trim() ?? ""}\n`;
  const sections = new Map(SECTIONS.map((section) => [section, ""]));
  for (const text of [unreleased, ...changes.map((change) => change.text)])
    for (const { groups: { section = "", lines = "" } = {} } of text.matchAll(SECTION))
      sections.set(section, `${sections.get(section) ?? ""}${lines.trim()}\n`);
  const [introduction = ""] = unreleased.split(/^### /m);
  return [introduction, ...[...sections].map(([section, lines]) => lines && `### ${section}\n\n${lines}`)]
    .flatMap((part) => part.trim() || [])
    .join("\n\n");
}

/**
 * Returns the changelog with the notes in a section for the new version. The section "Unreleased" is removed, because
 * later changes are files.
 *
 * @param date Date of the release, for example `2026-11-21`.
 * @throws Error if there is nothing to release.
 */
export function withRelease(changelog: string, version: string, date: string, notes: string): string {
  if (notes === "") throw new Error("there is no change to release: `changes` is empty");
  const [before = "", ...releases] = changelog.replace(UNRELEASED, "").split(/^(?=## )/m);
  return `${[before.trimEnd(), `## ${version} (${date})`, notes, ...releases.map((each) => each.trimEnd())].join("\n\n")}\n`;
}
