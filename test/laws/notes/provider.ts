import * as z from "zod";
import { kit } from "../../../kit/kit";
import { Refusal } from "../../../kit/refusal";
import { Deleted } from "../../../kit/resource";
import type { Shown } from "./platform";

const RESTORABLE_MS = 5 * 24 * 3_600_000;

type Wanted = { readonly [P in "name" | "text" | "color" | "pin"]?: string | undefined };

/** Sends the requests of a small provider. The mistakes in `mistakes.ts` are edits of this file. */
export class Notes {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  all = (): Promise<Shown[]> => this.#send("GET", "/notes");
  find = (id: string): Promise<Shown | undefined> => this.#send<Shown>("GET", `/notes/${id}`).catch(unlessAbsent);
  add = (wanted: Wanted): Promise<Shown> => this.#send("POST", "/notes", wanted);
  change = (id: string, changes: Wanted): Promise<Shown> => this.#send("PATCH", `/notes/${id}`, changes);
  restore = (id: string, wanted: Wanted): Promise<Shown> => this.#send("POST", `/notes/${id}/restore`, wanted);
  remove = async (id: string): Promise<void> => this.#send("DELETE", `/notes/${id}`, {});

  async #send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.token}` };
    const options = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const tried = `could not send a note (${method} ${path})`;
    const response = await fetch(`${this.url}${path}`, options).catch((cause: unknown) => {
      throw new Refusal("unavailable", { tried, answer: "there was no response", uncertain: true, cause });
    });
    if (response.ok) return (await response.json()) as Answer;
    const kind = ({ 401: "unauthenticated", 404: "absent", 409: "taken" } as const)[response.status] ?? "invalid";
    throw new Refusal(kind, { tried, answer: `the platform answered ${response.status}`, status: response.status });
  }
}

function unlessAbsent(thrown: unknown): undefined {
  if (!(thrown instanceof Refusal && thrown.kind === "absent")) throw thrown;
}

const { field, resource } = kit<Notes>();

const stateOf = ({ id, name, text, color, createdAt, revision }: Shown) => ({
  name,
  text,
  color,
  noteId: id,
  createdAt,
  revision,
});

const timesOf = (deletedAt: string) => ({
  deletedAt,
  restorableUntil: new Date(Date.parse(deletedAt) + RESTORABLE_MS).toISOString(),
});

export const note = resource({
  type: "Note",
  description: "A note. If it is deleted outside of Pulumi, the next update restores it.",
  inputs: {
    name: field.replaces(z.string(), { describe: "Name of the note, which no other note has." }),
    text: field.plain(z.string().optional(), { describe: "Text of the note.", default: "" }),
    color: field.plain(z.string().optional(), { describe: "Color of the note.", default: "white" }),
    pin: field.writeOnly(z.string().optional(), {
      describe: "Secret that opens the note.",
      describeValue: () => "a pin",
    }),
  },
  outputs: {
    noteId: field.output(z.uuid(), { describe: "Id of the note." }),
    createdAt: field.output(z.iso.datetime(), { describe: "Time of the creation (RFC 3339)." }),
    revision: field.output(z.number(), { describe: "How often the note was changed." }),
  },
  moves: { text: ["revision"], color: ["revision"], pin: ["revision"] },
  importing: { name: "note", id: "<id>", description: "The id is that of the note." },
  async read(id, { platform }) {
    const found = await platform.find(id);
    if (!found) return undefined;
    if (found.deletedAt === undefined) return stateOf(found);
    return new Deleted({ shown: stateOf(found), ...timesOf(found.deletedAt) });
  },
  async create({ name, text, color, pin }, { platform }) {
    const made = await platform.add({ name, text, color, pin });
    return { id: made.id, state: stateOf(made) };
  },
  async update(id, { text, color, pin }, { platform }) {
    return stateOf(await platform.change(id, { text, color, pin }));
  },
  async delete(id, { platform }) {
    await platform.remove(id);
  },
  async *list({ platform, deleted }) {
    for (const { id, name, deletedAt } of await platform.all())
      if (deleted === (deletedAt !== undefined)) yield { id, name };
  },
  named: {
    longest: () => 60,
    async find(name, { platform }) {
      const found = (await platform.all()).find((one) => one.name === name && one.deletedAt === undefined);
      return found && { id: found.id, state: stateOf(found) };
    },
    async ids({ platform }) {
      const live = (await platform.all()).filter(({ deletedAt }) => deletedAt === undefined);
      return new Set(live.map(({ id }) => id));
    },
  },
  softDeleted: {
    brings: "with its text",
    renames: true,
    async restore(id, { name }, { platform }) {
      return stateOf(await platform.restore(id, { name }));
    },
    async named(name, { platform }) {
      const deleted = (await platform.all()).filter((one) => one.name === name && one.deletedAt !== undefined);
      return deleted.map(({ id, deletedAt = "" }) => ({ id, ...timesOf(deletedAt) }));
    },
  },
});
