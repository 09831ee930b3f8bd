import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { root } from "./run";

/** Returns the licence texts of all bundled packages, sorted by folder. */
export function licencesOf(bundles: readonly Metafile[]): string {
  const folders = new Set(
    bundles
      .flatMap(({ inputs }) => Object.keys(inputs))
      .flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  );
  const texts = [...folders].sort().map((folder) => licenceIn(join(root, folder)));
  return ["What is bundled here, beside our own code, and its licences.", ...texts].join(`\n\n${"─".repeat(80)}\n\n`);
}

function licenceIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder);
  const texts = files.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).map((file) => textOf(folder, file));
  const inReadme = files
    .filter((file) => /^readme/i.test(file))
    .flatMap((file) => licenceSection(textOf(folder, file)));
  const found = texts.length > 0 ? texts : inReadme;
  if (found.length === 0 || !license) throw new Error(`${name} ${version} is bundled and brings no licence`);
  return [`${name} ${version} (${license})`, ...found].join("\n\n");
}

const textOf = (folder: string, file: string): string => readFileSync(join(folder, file), "utf8").trim();

/** Returns the licence section of a README. Some older packages have no separate licence file. */
const licenceSection = (readme: string): string[] => {
  const [, section] = /^#+ licen[cs]e\s*$(.*)/ims.exec(readme) ?? [];
  return section ? [section.trim()] : [];
};
