const UNRELEASED = /^## Unreleased\n(?<notes>[\s\S]*?)(?=^## |(?![\s\S]))/m;

/** Returns the version of the last release: the topmost section with a date, for example `## 1.2.3 (2026-11-21)`. */
export const lastRelease = (changelog: string): string | undefined =>
  /^## (\S+) \(\d{4}-\d\d-\d\d\)$/m.exec(changelog)?.[1];

/** Returns the release notes in the section "Unreleased". */
export const unreleased = (changelog: string): string => UNRELEASED.exec(changelog)?.groups?.notes?.trim() ?? "";

/**
 * Returns the changelog with the unreleased notes moved to a section for the new version.
 *
 * @param date Date of the release, for example `2026-11-21`.
 * @throws Error if there is nothing to release.
 */
export function withRelease(changelog: string, version: string, date: string): string {
  const notes = unreleased(changelog);
  if (notes === "") throw new Error('nothing stands under "## Unreleased" in the changelog');
  return `${changelog.replace(UNRELEASED, () => `## Unreleased\n\n## ${version} (${date})\n\n${notes}\n\n`).trimEnd()}\n`;
}
