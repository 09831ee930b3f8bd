import { expect, test } from "vitest";
import * as z from "zod";
import type { AnyResource } from "../../kit/definition";
import { Instance } from "../../kit/instance";
import { kit } from "../../kit/kit";
import { CHECK_ID, doesNotExist, newObjectPlanned, noLongerExists } from "../../kit/lifecycle/restore/messages";
import { RECORDED_SETTINGS } from "../../kit/messages";
import { messageOf, Refusal } from "../../kit/refusal";
import { read } from "../../kit/steps/read";

const { field, provider, resource } = kit<undefined>();

let failure: Refusal | undefined;

const note = resource({
  type: "Note",
  description: "A note.",
  inputs: { name: field.replaces(z.string(), { describe: "Name." }) },
  outputs: { account: field.output(z.string(), { describe: "Account." }) },
  async read() {
    if (failure) throw failure;
    return undefined;
  },
  create: async ({ name }) => ({ id: "1", state: { name, account: "acme" } }),
  async delete() {},
}) as unknown as AnyResource;

/** Reads a note that does not exist, with settings that the last update may have recorded. */
async function readNote(state: { name?: string; account?: string }) {
  const home = {
    output: "account",
    id: async () => "acme",
    other: () => ({ answer: "" }),
    lost: async () => undefined,
  };
  const notes = provider({
    name: "notes",
    version: "1.0.0",
    settings: { description: "Notes.", schema: z.object({}) },
    resources: [note],
    connect: () => ({ open: () => ({ platform: undefined, home }) }),
  });
  const said: string[] = [];
  const call = { urn: "", signal: new AbortController().signal, log: (_: string, text: string) => said.push(text) };
  const context = new Instance(notes, {}, {}, { isRecorded: true }).context(call);
  const found = await read(note, { id: "1", inputs: {}, state }, context);
  return { found, said };
}

/** Returns the warnings of a read of a note that does not exist. */
async function saidOf(state: { name?: string; account?: string }): Promise<string[]> {
  failure = undefined;
  const { found, said } = await readNote(state);
  expect(found).toBeUndefined();
  return said;
}

test.each([
  ["no response", new Refusal("unavailable", { answer: "no response" }), true],
  ["another server", new Refusal("unreadable", { answer: "a page", status: 200 }), true],
  ["a failing platform", new Refusal("unavailable", { answer: "it fails", status: 503 }), false],
])("says how to leave recorded settings that are wrong behind: %s", async (_, thrown, isAdvised) => {
  failure = thrown;
  const message = await readNote({ name: "blue", account: "acme" }).then(String, messageOf);
  expect(message).toBe(isAdvised ? `${thrown.message}. ${RECORDED_SETTINGS}` : thrown.message);
});

test("says once that a managed object no longer exists", async () => {
  const gone = noLongerExists({ title: 'note "blue"', id: "1" });
  const planned = newObjectPlanned({ kind: "note", isRestorable: false, isDeclared: false });
  expect(await saidOf({ name: "blue", account: "acme" })).toEqual([`${gone} ${planned}`]);
});

test("says once that an object which the program looks up does not exist", async () => {
  expect(await saidOf({})).toEqual([doesNotExist({ kind: "note", id: "1", advice: CHECK_ID })]);
});

test.each([
  { tried: "could not add the note.", answer: "it is full.", advice: "Make room." },
  { tried: "could not add the note", answer: "it is full", advice: "Make room." },
])("a refusal has no stray full stop: %j", (details) => {
  expect(new Refusal("invalid", details).message).toBe("could not add the note: it is full. Make room.");
  const { message } = new Refusal("invalid", { ...details, advice: undefined });
  expect(new Refusal("conflict", { tried: message, answer: "nothing was added" }).message).toBe(
    "could not add the note: it is full: nothing was added",
  );
});
