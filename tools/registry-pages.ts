import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fenced } from "../kit/schema";
import { type Example, examples, INDEX, LANGUAGES, type Language } from "./examples";
import { root } from "./run";
import { docsAddress } from "./schema";

/** Paths of the only pages of the docs that Pulumi's registry shows. */
export const REGISTRY_PAGES = [`docs/${INDEX}.md`, "docs/installation-configuration.md"] as const;

const CHOOSER = /^\{\{< chooser .*?^\{\{< \/chooser >\}\}$/ms;

/**
 * Returns the text of a page for Pulumi's registry. It is written by hand, except for the example of the start page and,
 * in a release, the addresses in the links.
 */
export function registryPageText(page: (typeof REGISTRY_PAGES)[number]): string {
  const [text, example, docs] = [readFileSync(join(root, page), "utf8"), examples()[INDEX], docsAddress()];
  const current = text.replace(CHOOSER, (chooser) => (example ? chooserOf(example) : chooser));
  return docs ? withAbsoluteLinks(current, docs) : current;
}

/** Returns a page with absolute links, because relative links are dead in Pulumi's registry. */
export const withAbsoluteLinks = (text: string, docs: string): string =>
  text.replaceAll(/\]\((?=[\w/.-]+\.md\b)/g, () => `](${docs}/`);

/** Returns the example's programs in the markup of the Pulumi Registry's language chooser. */
function chooserOf({ programs }: Example): string {
  const languages = Object.keys(LANGUAGES) as Language[];
  const choices = languages.map((language) =>
    [`{{% choosable language ${language} %}}`, fenced(language, programs[language]), "{{% /choosable %}}"].join("\n\n"),
  );
  return [`{{< chooser language "${languages.join(",")}" >}}`, ...choices, "{{< /chooser >}}"].join("\n\n");
}
