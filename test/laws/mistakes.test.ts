import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import * as z from "zod";
import * as kit from "../../kit/index";
import { laws } from "../../kit/laws/laws";
import { LawBroken } from "../../kit/laws/stage";
import type { Provider } from "../../kit/provider";
import { Compiler } from "../kit/compiler";
import { MISTAKES, type Mistake } from "./mistakes";
import { secondProvider } from "./second-provider";

const FOLDER = "examples/provider";
const FILES = ["client.ts", "provider.ts"] as const;
const COMPILER = "the compiler";

const sources = Object.fromEntries(FILES.map((file) => [file, readFileSync(`${FOLDER}/${file}`, "utf8")]));
const compiler = new Compiler(`${process.cwd()}/${FOLDER}/provider.ts`);

/** Runs the second provider from its edited sources, with the kit of this process. */
function load(programs: Readonly<Record<string, string>>): Provider {
  const modules: Record<string, unknown> = { zod: z, "pulumi-provider-kit": kit };
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2024 };
  for (const file of FILES) {
    const { outputText } = ts.transpileModule(programs[file] ?? "", { compilerOptions });
    const exports: Record<string, unknown> = {};
    new Function("require", "exports", outputText)((name: string) => modules[name], exports);
    modules[`./${file.replace(".ts", "")}`] = exports;
  }
  return (modules["./provider"] as { readonly d1: Provider }).d1;
}

/** Returns what finds a mistake first: the compiler, or the sentence of a law. */
async function findsFirst({ file, edit }: Mistake): Promise<string | undefined> {
  const program = edit(sources[file] ?? "");
  // The kit's types say nothing of the client.
  if (file === "provider.ts" && compiler.errorsIn(program).length > 0) return COMPILER;
  const provider = load({ ...sources, [file]: program });
  for (const { run } of laws(secondProvider(provider))) {
    const broken = await run().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (broken === undefined) continue;
    if (!(broken instanceof LawBroken)) throw broken;
    return `"${broken.law}"`;
  }
  return undefined;
}

test("each mistake in the second provider is found by the compiler or by a law, as the README says", async () => {
  const rows: string[] = [];
  for (const one of MISTAKES) {
    expect(one.edit(sources[one.file] ?? ""), `the edit of "${one.mistake}"`).not.toBe(sources[one.file]);
    rows.push(`| ${one.mistake} | ${(await findsFirst(one)) ?? "nothing"} |`);
  }
  expect(rows.filter((row) => row.includes("| nothing |"))).toEqual([]);
  const lines = readFileSync("kit/README.md", "utf8").split("\n");
  const table = lines.slice(lines.indexOf("| Mistake | Found by |")).filter((line) => line.startsWith("| "));
  expect(table).toEqual(["| Mistake | Found by |", "| --- | --- |", ...rows]);
});
