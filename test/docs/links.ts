import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

interface Link {
  readonly page: string;
  readonly link: string;
}

/** Finds the targets of links and images in Markdown and in HTML, also those that spaces make invalid. */
const LINKS = /\]\((?<inline>[^)]*)\)|^\[[^\]]+\]: (?<defined>\S+)|\b(?:href|src|srcset)="(?<html>[^"]*)"/gm;

/**
 * Returns the links in all pages of a folder, except those to other sites. Pages in `node_modules` are ignored.
 *
 * @param homepage Address of the repository, whose files a release links to by their addresses. These links are returned
 * as paths.
 */
export const linksIn = (folder: string, homepage?: string): Link[] =>
  globSync("{*.md,{bench,docs,examples,kit,platform,skills}/**/*.md}", {
    cwd: folder,
    exclude: ["**/node_modules/**"],
  }).flatMap((page) =>
    [...withoutCode(readFileSync(join(folder, page), "utf8")).matchAll(LINKS)]
      .map(({ groups: { inline, defined, html } = {} }) => inline ?? defined ?? html ?? "")
      .map((link) => inCheckout(link, homepage, dirname(page)))
      .filter((link) => !/^https?:/.test(link))
      .map((link) => ({ page, link })),
  );

const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$|`[^`\n]*`/gms, "");

const inCheckout = (link: string, homepage: string | undefined, folder: string): string => {
  const [, path] = homepage && link.startsWith(homepage) ? (/\/(?:blob|raw|tree)\/v[^/]+\/(.*)$/.exec(link) ?? []) : [];
  return path === undefined ? link : relative(folder, path);
};

/** Returns the links whose file or heading does not exist. */
export const brokenLinksIn = (folder: string, homepage?: string): Link[] =>
  linksIn(folder, homepage).filter(({ page, link }) => {
    const [path = "", heading] = link.split("#");
    const target = join(folder, path === "" ? page : join(dirname(page), path));
    return !existsSync(target) || (heading !== undefined && !headingsOf(target).includes(heading));
  });

const headingsOf = (page: string): string[] =>
  [
    ...readFileSync(page, "utf8")
      .replaceAll(/^```.*?^```$/gms, "")
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
