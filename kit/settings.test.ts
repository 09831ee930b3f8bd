import { expect, test } from "vitest";
import * as z from "zod";
import type { ProviderSettings } from "./provider";
import { resolveSettings } from "./settings";

const settings: ProviderSettings = {
  description: "A notebook.",
  schema: z.object({
    url: z.string().default("http://localhost"),
    retries: z.number().int().default(3),
    pin: z.string(),
  }),
  environment: { pin: "NOTES_PIN" },
  secrets: ["pin"],
};
const notes = { name: "notes", settings };

test("a setting that nobody gives has its default", () => {
  expect(resolveSettings(notes, {}, { NOTES_PIN: "1" })).toEqual({ url: "http://localhost", retries: 3, pin: "1" });
});

test("a number may be given as a string, as `pulumi config set` writes it", () => {
  expect(resolveSettings(notes, { retries: "5", pin: "007" }, {})).toMatchObject({ retries: 5, pin: "007" });
  expect(() => resolveSettings(notes, { retries: "many", pin: "007" }, {})).toThrow("retries");
});
