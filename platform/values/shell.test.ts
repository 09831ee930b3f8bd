import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellWord } from "./shell";

test("a shell reads any text back from its word", () => {
  const texts = fc.sample(fc.string({ unit: "grapheme" }), 200).map((text) => text.replaceAll("\0", ""));
  const all = ["", "it's", "$HOME", "`a`", "a b", "-n", ...texts.filter((text) => text.isWellFormed())];
  const read = execFileSync("sh", ["-c", `printf '%s\\0' ${all.map(shellWord).join(" ")}`], { encoding: "utf8" });
  expect(read.split("\0").slice(0, -1)).toEqual(all);
});
