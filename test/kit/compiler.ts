import ts from "typescript";

/** Asks TypeScript, as an editor does, about a program that is never written to disk. */
export class Compiler {
  readonly #service: ts.LanguageService;
  #text = "";
  #version = 0;

  /** @param file Path of the file in whose place the programs stand. */
  constructor(private readonly file: string) {
    const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
    const { fileExists, readFile, directoryExists, getDirectories } = ts.sys;
    this.#service = ts.createLanguageService({
      fileExists,
      readFile,
      directoryExists,
      getDirectories,
      getScriptFileNames: () => [file],
      getScriptVersion: (name) => (name === file ? String(this.#version) : ""),
      getScriptSnapshot: (name) => {
        const found = name === file ? this.#text : readFile(name);
        return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
      },
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      getCompilationSettings: () => options,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
    });
  }

  /** Returns the last line of each error, which tells the reason. Types that fill more than a line are cut. */
  errorsIn(program: string): string[] {
    this.#show(program);
    const service = this.#service;
    return [...service.getSyntacticDiagnostics(this.file), ...service.getSemanticDiagnostics(this.file)].map(
      ({ messageText }) => {
        const last = ts.flattenDiagnosticMessageText(messageText, "\n").split("\n").at(-1) ?? "";
        return sorted(last.trim()).replace(/'([^'{]*)\{[^']{120,}'/g, "'$1…'");
      },
    );
  }

  /** Returns what an editor shows for the place where `text` begins. */
  hover(program: string, text: string): string {
    this.#show(program);
    const info = this.#service.getQuickInfoAtPosition(this.file, program.indexOf(text));
    return ts.displayPartsToString(info?.displayParts);
  }

  #show(program: string): void {
    this.#text = program;
    this.#version += 1;
  }
}

/** Sorts the texts of a union, because their order depends on what the compiler has seen before. */
const sorted = (line: string): string =>
  line.replace(/"\w+"(?: \| "\w+")+/g, (union) => union.split(" | ").sort().join(" | "));
