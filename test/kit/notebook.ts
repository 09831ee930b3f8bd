import * as z from "zod";
import { kit } from "../../kit/kit";

interface Noted {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly tags: string[];
}

/** A platform that nobody runs. */
export interface Notebook {
  find(id: string): Promise<Noted | undefined>;
  add(note: { title: string; text?: string | undefined; tags?: string[] | undefined }): Promise<Noted & Share>;
  change(id: string, changes: { text?: string | undefined; tags?: string[] | undefined }): Promise<Noted>;
  remove(id: string): Promise<void>;
}

interface Share {
  readonly token: string;
}

const { field, resource } = kit<Notebook>();

const stateOf = ({ id, title, text, tags }: Noted) => ({ noteId: id, title, text, tags });

export const note = resource({
  type: "Note",
  description: "A note in the notebook.",
  inputs: {
    title: field.replaces(z.string(), { describe: "Title of the note." }),
    text: field.plain(z.string().optional(), { describe: "Text of the note.", default: "" }),
    tags: field.plain(z.array(z.string()).optional(), { describe: "Tags of the note.", default: [] }),
    keepers: field.keepers(z.record(z.string(), z.string()).optional(), { describe: "Any values.", default: {} }),
  },
  outputs: {
    noteId: field.output(z.string(), { describe: "Id of the note." }),
    token: field.shownOnce(z.string(), { describe: "Token to share the note." }),
  },
  async read(id, { platform }) {
    const found = await platform.find(id);
    return found && stateOf(found);
  },
  async create({ title, text, tags }, { platform }) {
    const made = await platform.add({ title, text, tags });
    return { id: made.id, state: { ...stateOf(made), token: made.token } };
  },
  async update(id, changes, { platform }) {
    return stateOf(await platform.change(id, changes));
  },
  delete: (id, { platform }) => platform.remove(id),
});
