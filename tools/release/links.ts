import { existsSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** Finds links and images relative to a page, after the blocks of code, which stay as they are. */
const RELATIVE =
  /^```[\s\S]*?^```$|(?<image>!?)\[(?<label>(?:!\[[^\]]*\]\([^)]*\)|[^\]])*)\]\((?!https?:|#)(?<target>[^)]+)\)|\b(?<attribute>src|srcset|href)="(?!https?:|#)(?<source>[^"]+)"/gm;

/** A link of a page to a file of the repository. */
export interface RelativeLink {
  /** The target as the page has it. */
  readonly written: string;
  /** Path of the file or folder, relative to the checkout. */
  readonly path: string;
  /** The part after the path, such as `#install`. */
  readonly anchor: string;
  readonly isImage: boolean;
}

/**
 * Returns a page with other targets of its relative links. A link without a new target becomes its text, followed by
 * the path of the file.
 *
 * @param file Path of the page, relative to the checkout.
 */
export function withLinks(file: string, text: string, targetOf: (link: RelativeLink) => string | undefined): string {
  return text.replaceAll(RELATIVE, (whole, ...matched) => {
    const { image = "", label = "", target, attribute, source } = matched.at(-1) as Record<string, string | undefined>;
    const written = target ?? source;
    if (written === undefined) return whole;
    const [, relative = "", anchor = ""] = /^([^#]*)(.*)$/.exec(written) ?? [];
    const path = posix.normalize(posix.join(dirname(file), relative)).replace(/\/$/, "");
    const changed = targetOf({ written, path, anchor, isImage: image !== "" || /^src/.test(attribute ?? "") });
    if (attribute !== undefined) return changed === undefined ? whole : `${attribute}="${changed}"`;
    if (changed !== undefined) return `${image}[${withLinks(file, label, targetOf)}](${changed})`;
    return label.includes(path) ? label : `${label} (\`${path}\` in the repository)`;
  });
}

/** A version of the repository on a website. */
export interface HostedVersion {
  readonly repository: string;
  readonly version: string;
}

/** Returns the address of a file or folder of the repository, as a release has it. */
export function addressOf(
  { path, anchor, isImage }: RelativeLink,
  { repository, version }: HostedVersion,
  checkout: string,
): string {
  const linked = join(checkout, path);
  const isFolder = existsSync(linked) && statSync(linked).isDirectory();
  return `${repository}/${isImage ? "raw" : isFolder ? "tree" : "blob"}/v${version}/${path}${anchor}`;
}
