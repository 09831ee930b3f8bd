import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../../tools/examples";
import { root } from "../../tools/run";
import { SCHEMA_FILE } from "../../tools/schema";

interface Described {
  readonly description: string;
}

/** The page whose examples are named `overview`. */
const OVERVIEW = join(root, "docs/_index.md");

/**
 * Returns the example programs in one language, by name. A name is `overview`, or the name of a resource or function in
 * the package schema.
 */
export function examplesIn(language: Language): Readonly<Record<string, string>> {
  const { resources, functions } = JSON.parse(readFileSync(SCHEMA_FILE, "utf8")) as Record<
    "resources" | "functions",
    Readonly<Record<string, Described>>
  >;
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms");
  const texts = Object.entries({ ...resources, ...functions }).map(([token, { description }]) => {
    const [, examples = ""] = /^\{\{% examples %\}\}$(.*)^\{\{% \/examples %\}\}$/ms.exec(description) ?? [];
    return [token.slice(token.lastIndexOf(":") + 1), examples] as const;
  });
  return Object.fromEntries(
    [...texts, ["overview", readFileSync(OVERVIEW, "utf8")] as const].map(([name, text]) => {
      const [, program] = block.exec(text) ?? [];
      if (program === undefined) throw new Error(`${name} has no example in ${language}`);
      return [name, program];
    }),
  );
}
