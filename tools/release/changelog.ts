const UNRELEASED = /^## Unreleased\n(?<notes>[\s\S]*?)(?=^## |(?![\s\S]))/m;

/** Returns the version of the topmost section that has a date: `## 1.2.3 (2026-11-21)`. */
export const lastRelease = (changelog: string): string | undefined =>
  /^## (\S+) \(\d{4}-\d\d-\d\d\)$/m.exec(changelog)?.[1];

/** Returns the notes under "Unreleased". */
export const unreleased = (changelog: string): string => UNRELEASED.exec(changelog)?.groups?.notes?.trim() ?? "";

/**
 * Returns the changelog with the unreleased notes under the new version.
 * @param date `2026-11-21`
 * @throws When there is nothing to release.
 */
export function withRelease(changelog: string, version: string, date: string): string {
  const notes = unreleased(changelog);
  if (notes === "") throw new Error('nothing stands under "## Unreleased" in the changelog');
  return `${changelog.replace(UNRELEASED, () => `## Unreleased\n\n## ${version} (${date})\n\n${notes}\n\n`).trimEnd()}\n`;
}
