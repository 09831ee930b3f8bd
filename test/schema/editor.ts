import { join } from "node:path";
import ts from "typescript";
import { root } from "../../tools/run";

/** Analyses a program that imports `../../sdk/nodejs`, using the TypeScript language service, as editors do. */
export function editor(text: string) {
  const file = join(root, "test/schema/program.ts");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node20,
    types: ["node"],
  };
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const content = path === file ? text : ts.sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const at = (mark: string) => text.indexOf(`/*${mark}*/`);
  const behind = (mark: string) => at(mark) + mark.length + 4;
  return {
    problems: service.getSemanticDiagnostics(file).map(({ messageText }) => JSON.stringify(messageText)),
    offered: (mark: string) => service.getCompletionsAtPosition(file, at(mark), {})?.entries.map(({ name }) => name),
    explained: (mark: string) =>
      ts.displayPartsToString(service.getQuickInfoAtPosition(file, behind(mark))?.documentation),
  };
}
