import { readFileSync } from "node:fs";
import type { Language } from "../../tools/examples";
import { SCHEMA_FILE } from "../../tools/schema";

interface Described {
  readonly description: string;
}

/** Returns the programs of one language that the package schema shows, by resource or function. */
export function examplesIn(language: Language): Readonly<Record<string, string>> {
  const { resources, functions } = JSON.parse(readFileSync(SCHEMA_FILE, "utf8")) as Record<
    "resources" | "functions",
    Readonly<Record<string, Described>>
  >;
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms");
  return Object.fromEntries(
    Object.entries({ ...resources, ...functions }).map(([token, { description }]) => {
      const [, examples = ""] = /^\{\{% examples %\}\}$(.*)^\{\{% \/examples %\}\}$/ms.exec(description) ?? [];
      const [, program] = block.exec(examples) ?? [];
      const name = token.slice(token.lastIndexOf(":") + 1);
      if (program === undefined) throw new Error(`the schema has no example of ${name} in ${language}`);
      return [name, program];
    }),
  );
}
