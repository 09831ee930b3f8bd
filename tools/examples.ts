import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fenced } from "../kit/docs";
import { functions } from "../provider/functions/list";
import { resources } from "../provider/resources/list";
import { hashOf, textOf } from "./generated-file";
import { gensdk } from "./gensdk";
import { root } from "./run";

/** The languages of every example, in the order in which pages show them. */
export const LANGUAGES = { typescript: "TypeScript", python: "Python", go: "Go", yaml: "YAML" } as const;
export type Language = keyof typeof LANGUAGES;

/** One program in several languages. */
export interface Example {
  /** A description of the program, in complete sentences. */
  readonly text: string;
  readonly programs: Readonly<Record<Language, string>>;
}

/** Name of the example in docs/_index.md. Every other example is named after a resource or function. */
export const INDEX = "_index";

interface Converted {
  /** Hash of the sources of the generated file: the YAML programs and the schema without examples. */
  readonly madeFrom: string;
  readonly programs: Readonly<Record<string, Readonly<Record<Exclude<Language, "yaml">, string>>>>;
}

/** Path of the generated file that contains the programs converted from YAML to the other languages. */
const CONVERTED_FILE = join(root, "provider/examples.json");

/** Returns the YAML programs by name. Each file is next to the definition of its resource or function. */
function sources(): Readonly<Record<string, string>> {
  const files = globSync(["provider/{functions,resources}/**/*.yaml", `docs/${INDEX}.yaml`], { cwd: root });
  const texts = new Map(files.map((file) => [basename(file, ".yaml"), readFileSync(join(root, file), "utf8")]));
  const names = [INDEX, ...resources.map(({ type }) => type), ...functions.map(({ name }) => name)];
  const found = names.map((name) => {
    const text = texts.get(fileNameOf(name));
    texts.delete(fileNameOf(name));
    if (text === undefined) throw new Error(`${name} has no example: ${fileNameOf(name)}.yaml beside its definition`);
    return [name, text] as const;
  });
  if (texts.size > 0) throw new Error(`examples of nothing: ${[...texts.keys()].join(", ")}`);
  return Object.fromEntries(found);
}

/** Returns `database-token` for `DatabaseToken`. */
const fileNameOf = (name: string): string => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/**
 * Returns whether the YAML programs or the schema have changed since the examples were converted.
 *
 * @param schema Text of the schema without examples.
 */
export const examplesAreStale = (schema: string): boolean => converted().madeFrom !== hashOfSources(schema);

const hashOfSources = (schema: string): string => hashOf(`${JSON.stringify(sources())}${schema}`).trim();

function converted(): Converted {
  return JSON.parse(textOf(CONVERTED_FILE) ?? '{ "madeFrom": "", "programs": {} }');
}

/**
 * Converts the YAML programs to the other languages.
 *
 * @param schema Text of the schema without examples.
 * @throws Error if Go is not installed or a program is not valid.
 */
export function writeExamples(schema: string): void {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-examples-"));
  try {
    const file = join(folder, "schema.json");
    writeFileSync(file, schema);
    const programs = JSON.parse(gensdk(["examples", file], JSON.stringify(sources())));
    writeFileSync(CONVERTED_FILE, `${JSON.stringify({ madeFrom: hashOfSources(schema), programs }, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function examples(): Readonly<Record<string, Example>> {
  const { programs } = converted();
  return Object.fromEntries(
    Object.entries(sources()).flatMap(([name, source]) => {
      const others = programs[name];
      if (!others) return [];
      const [comment = ""] = /^(#.*\n)*/.exec(source) ?? [];
      const text = comment.replace(/^# ?/gm, "").trim().replaceAll("\n", " ");
      return [[name, { text, programs: { ...others, yaml: source.slice(comment.length).trim() } }]];
    }),
  );
}

/**
 * Returns an example in the package schema's markup, so that each SDK and the registry show only the reader's language.
 */
export const exampleInSchema = ({ text, programs }: Example): string =>
  [
    "{{% examples %}}\n## Example Usage\n{{% example %}}",
    text,
    ...Object.keys(LANGUAGES).map((language) => fenced(language, programs[language as Language])),
    "{{% /example %}}\n{{% /examples %}}",
  ].join("\n\n");

/** Returns an example for docs pages, with all languages except TypeScript collapsed. */
export const exampleOnPage = ({ text, programs }: Example): string =>
  [
    text,
    ...Object.entries(LANGUAGES).map(([language, title]) => {
      const code = fenced(language, programs[language as Language]);
      return language === "typescript" ? code : `<details>\n<summary>${title}</summary>\n\n${code}\n\n</details>`;
    }),
  ].join("\n\n");
