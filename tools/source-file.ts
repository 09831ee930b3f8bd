import { readFileSync } from "node:fs";
import ts from "typescript";

/** Parses a file of TypeScript. */
export const sourceFileAt = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
