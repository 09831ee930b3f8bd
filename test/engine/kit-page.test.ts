import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isolated, makeFolders, pathWith } from "../../tools/isolation";
import { root } from "../../tools/run";
import { type Block, blocksOf, commandsIn, isShown } from "../docs/blocks";
import { freePort } from "../free-port";
import { Pulumi } from "./cli";
import { Shell } from "./docs/shell";

const PAGE = "kit/README.md";
const text = readFileSync(join(root, PAGE), "utf8");

/** The files on the page, by name: a block of code belongs to the file that the paragraph before it names first. */
const files: ReadonlyMap<string, string> = new Map(
  [...text.matchAll(/`([\w.]+\.\w+)`[^\n]*\n\n```(?:json|js|ts|yaml)\n(.*?)^```$/gms)].map(
    ([, name = "", content = ""]) => [name, content],
  ),
);

/** The blocks with commands of the part of the page that begins with this heading. */
const blocks = (heading: string): Block[] => {
  const [part = ""] = text.split(/^(?=## )/m).filter((one) => one.startsWith(`## ${heading}`));
  return blocksOf(PAGE).filter((block) => part.includes(block.text));
};

/** Installs the packed kit, and links the other packages that `package.json` names, because there is no network. */
function install(folder: string): void {
  const modules = join(folder, "node_modules");
  const kit = join(modules, "pulumi-provider-kit");
  mkdirSync(kit, { recursive: true });
  const pack = ["pack", "--silent", "--workspace", "kit", "--pack-destination", folder];
  const packed = execFileSync("npm", pack, { cwd: root }).toString().trim().split("\n").at(-1) ?? "";
  execFileSync("tar", ["-xzf", join(folder, packed), "--strip-components", "1", "-C", kit]);
  const { dependencies, devDependencies } = JSON.parse(files.get("package.json") ?? "");
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    if (name === "pulumi-provider-kit") continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
}

test("the page about the kit leads from an empty folder to a provider that Pulumi runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kit-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  makeFolders(folder);
  const project = join(folder, "project");
  const port = String(await freePort());
  const here = (of: string) => of.replaceAll("4000", port);
  for (const [name, content] of files) writeFileSync(join(project, name), here(content));
  install(project);

  const environment = { ...isolated(folder), HOME: folder, PATH: pathWith(Pulumi.bin), NO_COLOR: "1" };
  const shell = new Shell(project, environment);
  onTestFinished(async () => {
    await shell.run("kill %1");
    shell.end();
  });
  const run = async (command: string) => {
    const { code, output } = await shell.run(here(command));
    expect({ command, code, output }).toMatchObject({ code: 0 });
    return output;
  };
  for (const { command, output: shown } of commandsIn(blocks("From an empty folder"))) {
    if (command === "npm install") continue;
    const output = await run(command);
    if (shown !== undefined) expect(isShown(shown, output), `${command}\n${output}`).toBe(true);
  }

  // Adds the function that the page shows, and looks at the schema that programs in other languages are made from.
  const [, definition = ""] = /(?<=\n)```ts\n(export const countNotes.*?)^```$/ms.exec(text) ?? [];
  const provider = (files.get("provider.ts") ?? "")
    .replace("{ field, provider,", "{ field, platformFunction, provider,")
    .replace("  resources: [note],", "  resources: [note],\n  functions: async () => [countNotes],");
  writeFileSync(join(project, "provider.ts"), here(provider));
  appendFileSync(join(project, "provider.ts"), definition);
  await run("npm run build");
  await run(
    "pulumi package get-schema ./plugin/pulumi-resource-notes > schema.json && pulumi schema check schema.json",
  );
  const { functions, resources } = JSON.parse(readFileSync(join(project, "schema.json"), "utf8"));
  expect(Object.keys({ ...functions, ...resources })).toEqual(["notes:index:countNotes", "notes:index:Note"]);
  await run("pulumi destroy --yes");
});
