import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fenced } from "../kit/docs";
import { type Example, examples, INDEX, LANGUAGES, type Language } from "./examples";
import { root } from "./run";

/** Path of the docs' start page. Its example is generated, and the rest is written by hand. */
export const INDEX_PAGE = join(root, `docs/${INDEX}.md`);

const CHOOSER = /^\{\{< chooser .*?^\{\{< \/chooser >\}\}$/ms;

/** Returns the text of the docs' start page with the current example. */
export function indexPageText(): string {
  const example = examples()[INDEX];
  return readFileSync(INDEX_PAGE, "utf8").replace(CHOOSER, (chooser) => (example ? chooserOf(example) : chooser));
}

/** Returns the example's programs in the markup of the Pulumi Registry's language chooser. */
function chooserOf({ programs }: Example): string {
  const languages = Object.keys(LANGUAGES) as Language[];
  const choices = languages.map((language) =>
    [`{{% choosable language ${language} %}}`, fenced(language, programs[language]), "{{% /choosable %}}"].join("\n\n"),
  );
  return [`{{< chooser language "${languages.join(",")}" >}}`, ...choices, "{{< /chooser >}}"].join("\n\n");
}
