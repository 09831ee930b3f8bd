import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { functions } from "../../provider/functions/list";
import { resources } from "../../provider/resources/list";
import { root } from "../../tools/run";

/** Declarations that are put before every example, because the examples rely on them. */
const SURROUNDINGS = `import * as dbplatform from "pulumi-dbplatform";
declare const production: dbplatform.Group;
declare const orders: dbplatform.Database;
`;

test("compiles the examples of all resources and functions against the SDK", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(root, "test/sdk/.examples-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const examples = [
    ...resources.map(({ type, example = `there is no example of ${type}` }) => [type, example] as const),
    ...functions.map(({ name, example }) => [name, example] as const),
  ];
  const files = examples.map(([name, example]) => {
    const file = join(folder, `${name}.mts`);
    const surroundings = SURROUNDINGS.split("\n").filter(
      (line) => !/const (\w+):/.test(line) || !declares(line, example),
    );
    writeFileSync(file, `${surroundings.join("\n")}\n${example}\nexport {};\n`);
    return file;
  });
  const paths = { "pulumi-dbplatform": [join(root, "sdk/nodejs/index.ts")] };
  const options = { strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022, paths };
  const program = ts.createProgram(files, {
    ...options,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ["node"],
  });
  const problems = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

const declares = (line: string, example: string): boolean => {
  const [, name] = /const (\w+):/.exec(line) ?? [];
  return new RegExp(`^const ${name} =`, "m").test(example);
};
