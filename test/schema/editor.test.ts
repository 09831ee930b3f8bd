import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { locationsOn } from "../../platform/values/location";
import { PRESETS, SCOPES } from "../../platform/values/scope";
import { root } from "../../tools/run";

const PROGRAM = `
import * as dbplatform from "../../sdk/nodejs";
const unknownYet: string = process.argv[2] ?? "moon-1";
const group = new dbplatform.Group("a", { location: "/*location*/", locations: ["/*locations*/", unknownYet, "moon-2"] });
new dbplatform.Group("b", { location: group.location, /*defaultHover*/deleteProtection: true });
new dbplatform.Group("c", { location: dbplatform.Location./*member*/AwsEuWest1 });
new dbplatform.ApiToken("d", { group: group.id, /*scopesHover*/scopes: ["/*scopes*/"] });
new dbplatform.Provider("e", { driftDetection: "/*drift*/" });
`;

/** The program in an editor: what TypeScript's language service, which editors ask, says of it. */
function editor(text: string) {
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

const { problems, offered, explained } = editor(PROGRAM);
const locations = [...Object.keys(locationsOn("aws")), ...Object.keys(locationsOn("fly"))];

test.each([
  ["location", locations],
  ["locations", locations],
  ["scopes", [...SCOPES, ...Object.keys(PRESETS)]],
  ["drift", ["always", "on-refresh"]],
])("an editor offers the known values of `%s`", (mark, values) => {
  expect(offered(mark)?.sort()).toEqual([...values].sort());
});

test("values that nobody knows yet, and outputs of other resources, are taken; a closed choice takes its own alone", () => {
  expect(problems).toEqual([expect.stringContaining("/*drift*/")]);
});

test("an editor explains a property, with its default, and a value", () => {
  expect(explained("scopesHover")).toMatch(/^What a group-scoped token may do/);
  expect(explained("defaultHover")).toMatch(/Default: false\.$/);
  expect(explained("member")).toBe("AWS EU West (Ireland)");
});
