import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Link {
  readonly page: string;
  readonly link: string;
}

/** Returns the relative links in all pages of a folder. Pages in `node_modules` are ignored. */
export const linksIn = (folder: string): Link[] =>
  globSync("{*.md,{bench,docs,examples,kit,skills}/**/*.md}", { cwd: folder, exclude: ["**/node_modules/**"] }).flatMap(
    (page) =>
      [...readFileSync(join(folder, page), "utf8").matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, link = ""]) => ({
        page,
        link,
      })),
  );

/** Returns the links whose file or heading does not exist. */
export const brokenLinksIn = (folder: string): Link[] =>
  linksIn(folder).filter(({ page, link }) => {
    const [path = "", heading] = link.split("#");
    const target = join(folder, path === "" ? page : join(dirname(page), path));
    return !existsSync(target) || (heading !== undefined && !headingsOf(target).includes(heading));
  });

const headingsOf = (page: string): string[] =>
  [...readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
