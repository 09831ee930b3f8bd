import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Compiler } from "./compiler";

const FILE = `${__dirname}/notebook.ts`;
const PROGRAM = readFileSync(FILE, "utf8");

const compiler = new Compiler(FILE);

type Edit = (program: string) => string;

const write =
  (instead: string, of: string | RegExp): Edit =>
  (program) =>
    program.replace(of, () => instead);
const without = (method: string): Edit => write("", new RegExp(` {2}async ${method}\\([^]*?\\n {2}},\n`));
const beside = (ability: string): Edit => write(`  ${ability},\n  delete: (id`, "  delete: (id");

const TITLE = 'field.replaces(z.string(), { describe: "Title of the note." })';
const TEXT = 'field.plain(z.string().optional(), { describe: "Text of the note.", default: "" })';

const SHOWN = "{ title: string; text: string | undefined; tags: string[] | undefined; noteId: string; }";
const CREATED = SHOWN.replace(" }", " token: string; }");
const INPUT_KINDS =
  '"createOnly" | "keepers" | "local" | "plain" | "replaces" | "trigger" | "writeOnly" | "writeOnlyReplaces"';

/** What an author may write, and the last line of each error that the compiler then prints. */
const MISTAKES: readonly [mistake: string, edit: Edit, says: readonly string[]][] = [
  [
    "has no `read`",
    without("read"),
    ["Property 'read' is missing in type '…' but required in type 'Core<Notebook, InputFields, OutputFields>'."],
  ],
  [
    "has no `update`, although inputs are plain",
    without("update"),
    ["Property 'update' is missing in type '…' but required in type 'CanUpdate<Notebook, …'."],
  ],
  [
    "has an `update`, although all inputs replace",
    (program) => program.replaceAll("field.plain", "field.replaces"),
    [
      `Property 'why' is missing in type '(id: any, changes: any, { platform }: any) => Promise<{ noteId: string; title: string; text: string; tags: string[]; }>' but required in type 'Forbidden<"nothing can be updated: no input is plain, writeOnly or a trigger, and no output is upheld">'.`,
    ],
  ],
  [
    "forgets an output when it reads and creates",
    write("({ title, text, tags })", "({ noteId: id, title, text, tags })"),
    [
      `Property 'noteId' is missing in type '{ title: string; text: string; tags: string[]; }' but required in type '${SHOWN}'.`,
      `Property 'noteId' is missing in type '{ token: string; title: string; text: string; tags: string[]; }' but required in type '${CREATED}'.`,
    ],
  ],
  [
    "forgets an optional input when it reads, so that nobody would see it drift",
    write("found && { noteId: found.id, title: found.title, tags: found.tags }", "found && stateOf(found)"),
    [
      `Property 'text' is missing in type '{ noteId: string; title: string; tags: string[]; }' but required in type '${SHOWN}'.`,
    ],
  ],
  [
    "forgets a secret that only `create` can return",
    write("state: stateOf(made)", "state: { ...stateOf(made), token: made.token }"),
    [
      `Property 'token' is missing in type '{ noteId: string; title: string; text: string; tags: string[]; }' but required in type '${CREATED}'.`,
    ],
  ],
  [
    "returns a state without the id",
    write("return stateOf(made)", "return { id: made.id, state: { ...stateOf(made), token: made.token } }"),
    [
      `Type '{ noteId: string; title: string; text: string; tags: string[]; }' is missing the following properties from type 'Made<${CREATED}>': id, state`,
    ],
  ],
  [
    "reads an output of another type",
    write("noteId: 7", "noteId: id"),
    Array(3).fill("Type 'number' is not assignable to type 'string'."),
  ],
  [
    "reads `null` instead of `undefined` for an absent object",
    write("found ? stateOf(found) : null", "found && stateOf(found)"),
    [`Type 'null' is not assignable to type 'Reading<${SHOWN}>'.`],
  ],
  [
    "updates a property that no resource has",
    write("({ txt: (await platform.change(id, changes)).text })", "stateOf(await platform.change(id, changes))"),
    [`Type '{ txt: string; }' has no properties in common with type 'Partial<${SHOWN}>'.`],
  ],
  [
    "updates an input that replaces",
    write("{ text: changes.title }", /(?<=change\(id, )changes/),
    ["Property 'title' does not exist on type '{ text?: string | undefined; tags?: string[] | undefined; }'."],
  ],
  [
    "creates with an input that no program has",
    write("create({ title, text, tag: tags }", "create({ title, text, tags }"),
    [
      "Property 'tag' does not exist on type '{ title: string; text?: string | undefined; tags?: string[] | undefined; keepers?: Record<string, string> | undefined; }'.",
    ],
  ],
  [
    "gives an input no kind",
    write("z.string()", TITLE),
    [
      `Type 'ZodString' is missing the following properties from type 'Field<${INPUT_KINDS}, any>': kind, schema, options, [VALUE]`,
    ],
  ],
  [
    "does not describe an input",
    write("field.replaces(z.string(), {})", TITLE),
    ["Property 'describe' is missing in type '{}' but required in type 'Meaning<string, Notebook>'."],
  ],
  [
    "has an output among the inputs",
    write("field.output", "field.replaces"),
    [`Type '"output"' is not assignable to type '${INPUT_KINDS}'.`],
  ],
  [
    "has an input among the outputs",
    write('field.plain(z.string(), { describe: "Id', 'field.output(z.string(), { describe: "Id'),
    [`Type '"plain"' is not assignable to type '"kept" | "output" | "shownOnce" | "upheld" | "whileDeleted"'.`],
  ],
  [
    "has a default of another type",
    write('default: "none"', "default: []"),
    ["Type 'string' is not assignable to type 'string[]'."],
  ],
  [
    "has a default for an input that is used only at creation",
    write(TEXT.replace("plain", "createOnly"), TEXT),
    [
      "Object literal may only specify known properties, and 'default' does not exist in type 'Meaning<string | undefined, Notebook> & Instead & Content'.",
    ],
  ],
  [
    "does not say what to do instead of changing an input that is used only at creation",
    write('field.createOnly(z.string(), { describe: "Text." })', TEXT),
    ["Property 'instead' is missing in type '{ describe: string; }' but required in type 'Instead'."],
  ],
  [
    "does not say how messages name a value that the platform never shows",
    write('field.writeOnly(z.string(), { describe: "Text." })', TEXT),
    ["Property 'describeValue' is missing in type '{ describe: string; }' but required in type 'Hidden<string>'."],
  ],
  [
    "misspells an option",
    write(TITLE.replace(" })", ", secrt: () => true })"), TITLE),
    [
      "Object literal may only specify known properties, but 'secrt' does not exist in type 'Meaning<string, Notebook> & Shown<string, Notebook> & Default<string>'. Did you mean to write 'secret'?",
    ],
  ],
  [
    "misspells an ability",
    beside('softDelete: { brings: "with its text" }'),
    [
      "Object literal may only specify known properties, but 'softDelete' does not exist in type 'Spec<Notebook, …'. Did you mean to write 'softDeleted'?",
    ],
  ],
  [
    "is named without an input `name`",
    beside("named: { longest: () => 64, find: async () => undefined, ids: async () => undefined }"),
    [
      "Object literal may only specify known properties, and 'longest' does not exist in type 'Forbidden<\"`named` needs an input `name`\">'.",
    ],
  ],
  [
    "expires without an input that says how early it is replaced",
    beside('expires: { at: "noteId", early: "keepers" }'),
    [
      "Object literal may only specify known properties, and 'at' does not exist in type 'Forbidden<\"`expires` needs a local input that says how early the object is replaced\">'.",
    ],
  ],
  [
    "moves an output that does not exist",
    beside('moves: { text: ["noteID"] }'),
    [`Type '"noteID"' is not assignable to type '"noteId" | "token"'. Did you mean '"noteId"'?`],
  ],
  [
    "is inside an object that no property names",
    beside('inside: { type: "Notebook", by: "notebook" }'),
    [`Type '"notebook"' is not assignable to type '"keepers" | "noteId" | "tags" | "text" | "title" | "token"'.`],
  ],
];

describe("the compiler rejects a resource that", () => {
  it.each(MISTAKES)("%s", (_mistake, edit, says) => {
    const program = edit(PROGRAM);
    expect(program).not.toBe(PROGRAM);
    expect(compiler.errorsIn(program)).toEqual(says);
  });
});

describe("hovering", () => {
  it("shows the arguments and the state of a resource, and nothing else", () => {
    expect(compiler.hover(PROGRAM, "note = resource")).toBe(`const note: Resource<{
    title: string;
    text?: string | undefined;
    tags?: string[] | undefined;
    keepers?: Record<string, string> | undefined;
}, {
    title: string;
    text: string | undefined;
    tags: string[] | undefined;
    noteId: string;
    keepers?: Record<string, string> | undefined;
    token?: string | undefined;
}>`);
  });

  it.each([
    ["title: field", "Replaces<string>"],
    ["tags: field", "Plain<string[] | undefined>"],
    ["noteId: field", "Output<string>"],
    ["token: field", "ShownOnce<string>"],
  ])("shows the kind and the values of the property `%s`", (property, type) => {
    expect(compiler.hover(PROGRAM, property)).toBe(`(property) ${property.split(":")[0]}: ${type}`);
  });
});
