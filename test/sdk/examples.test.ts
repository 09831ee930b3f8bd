import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { functions } from "../../provider/functions/list";
import { resources } from "../../provider/resources/list";
import { LANGUAGES, type Language } from "../../tools/examples";
import { root } from "../../tools/run";
import { examplesIn } from "./schema-examples";

const languages = Object.keys(LANGUAGES) as Language[];

test.each(languages)("the schema has %s examples of all resources and functions", (language) => {
  expect(Object.keys(examplesIn(language))).toHaveLength(resources.length + functions.length + 1);
});

test("compiles the TypeScript examples of all resources and functions against the SDK", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(root, "test/sdk/.examples-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = Object.entries(examplesIn("typescript")).map(([name, program]) => {
    const file = join(folder, `${name}.mts`);
    writeFileSync(file, program);
    return file;
  });
  const paths = { "pulumi-dbplatform": [join(root, "sdk/nodejs/index.ts")] };
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    paths,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ["node"],
  });
  const problems = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});
