import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isFirstByRunFile, NotesOfPreview } from "./run-files";

function inEmptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "first-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test("keeps one file for each running engine, and removes those of engines that have ended", () => {
  const folder = inEmptyFolder();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  for (const name of [`pulumi-notes-${pid}-1`, "pulumi-notes-cache"]) writeFileSync(join(folder, name), "");
  expect(["127.0.0.1:1", "127.0.0.1:1", "127.0.0.1:2"].map((address) => isFirstByRunFile("notes", address))).toEqual([
    true,
    false,
    true,
  ]);
  const own = [1, 2].map((port) => `pulumi-notes-${process.ppid}-${port}`);
  expect(readdirSync(folder).sort()).toEqual([...own, "pulumi-notes-cache"].sort());
});

test("knows for an hour what a preview of the same process has noted, and removes notes of ended processes", () => {
  const folder = inEmptyFolder();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(join(folder, `pulumi-notes-${pid}-0-preview-Note%20a`), "");
  const notes = new NotesOfPreview("notes");
  expect(notes.has("Note a")).toBe(false);
  notes.add("Note b");
  expect(new NotesOfPreview("notes").has("Note b")).toBe(true);
  expect(new NotesOfPreview("other").has("Note b")).toBe(false);
  const file = `pulumi-notes-${process.ppid}-0-preview-Note%20b`;
  expect(readdirSync(folder)).toEqual([file]);
  // Looking through the folder for each of many notes would take minutes.
  writeFileSync(join(folder, `pulumi-notes-${pid}-1`), "");
  notes.add("Note b");
  expect(readdirSync(folder)).toHaveLength(2);
  const anHourAgo = Date.now() / 1000 - 3601;
  utimesSync(join(folder, file), anHourAgo, anHourAgo);
  expect(notes.has("Note b")).toBe(false);
});
