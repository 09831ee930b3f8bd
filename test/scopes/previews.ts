import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { reportOn } from "../../provider/scopes/command";
import { credentialsFor } from "../../provider/scopes/needed-credential";
import { readPreview } from "../../provider/scopes/preview";

export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const GROUP = "0a28102d-6906-11ee-8553-eaa7715aeaf2";
export const OTHER = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";
export const DB = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";

export const urnOf = (type: string, name: string) => `urn:pulumi:dev::shop::dbplatform:index:${type}::${name}`;
export const provider = (name: string) => `urn:pulumi:dev::shop::pulumi:providers:dbplatform::${name}::${DB}`;

/** Returns a step as `pulumi preview --json` prints it. */
export const step = (op: string, type: string, name: string, rest: object = {}) => ({
  op,
  urn: urnOf(type, name),
  provider: provider("default_0_1_0"),
  detailedDiff: null,
  ...rest,
});

export const creation = (type: string, name: string, inputs: object, rest: object = {}) =>
  step("create", type, name, { newState: { inputs, ...rest } });

export const inDefault = { group: "default" };
export const live = { id: DB, inputs: inDefault, outputs: { ...inDefault, groupId: GROUP, groupName: "default" } };
export const deleted = { ...live, outputs: { ...live.outputs, deletedAt: "2026-11-22T07:17:00Z" } };
export const rotated = (was: object | undefined, inputs: object) => ({
  diffReasons: ["triggers.quarter"],
  oldState: { inputs: {}, outputs: { ...inputs, ...(was && { triggers: was }) } },
  newState: { inputs: { ...inputs, triggers: { quarter: "4" } } },
});

type Content = object | string | Buffer;

function fileWith(content: Content): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-scopes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "preview.json");
  writeFileSync(file, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return file;
}

/** Writes a preview to a file, and returns the credentials that `dbplatform scopes` derives from the file. */
export const credentials = async (content: Content) => credentialsFor(await readPreview(fileWith(content)));

/** Writes a preview to a file, and returns what `dbplatform scopes` prints about it, with the exit code. */
export const report = (content: Content, options: Parameters<typeof reportOn>[1] = {}) =>
  reportOn(fileWith(content), options);
