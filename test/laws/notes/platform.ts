import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A note as the platform stores it. */
export interface Stored {
  readonly id: string;
  name: string;
  text: string;
  color: string;
  pin: string | undefined;
  readonly createdAt: string;
  /** How often the note was changed. */
  revision: number;
  deletedAt: string | undefined;
}

export type Shown = Omit<Stored, "pin">;

export interface NotesPlatform {
  readonly url: string;
  readonly token: string;
  readonly secrets: readonly string[];
  /** All notes, deleted ones included. Tests change them as somebody without Pulumi would. */
  readonly notes: Map<string, Stored>;
  stop(): Promise<void>;
}

const ABSENT = { status: 404, answer: { error: "no such note" } };
const TAKEN = { status: 409, answer: { error: "the name is taken" } };

/** Starts a small platform in memory: notes with unique names, which can be restored after their deletion. */
export async function startNotes(): Promise<NotesPlatform> {
  const notes = new Map<string, Stored>();
  const token = randomUUID();
  const server = createServer(async (request, response) => {
    const body = request.method === "GET" ? {} : ((await json(request).catch(() => ({}))) as Partial<Stored>);
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const { status, answer } = isKnown ? answerTo(request.method, request.url, body) : { status: 401, answer: {} };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    secrets: [token],
    notes,
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };

  function answerTo(method = "", path = "", { name, text, color, pin }: Partial<Stored>) {
    const [, , id = "", action] = path.split("/");
    const found = notes.get(id);
    const isTaken = (wanted: string | undefined) =>
      [...notes.values()].some((one) => one.name === wanted && one.id !== id && one.deletedAt === undefined);
    if (method === "GET" && id === "") return ok([...notes.values()].map(shown));
    if (method === "POST" && id === "") {
      if (isTaken(name)) return TAKEN;
      const made: Stored = {
        id: randomUUID(),
        name: name ?? "untitled",
        text: text ?? "",
        color: color ?? "white",
        pin,
        createdAt: new Date().toISOString(),
        revision: 0,
        deletedAt: undefined,
      };
      notes.set(made.id, made);
      return ok(shown(made));
    }
    if (!found) return ABSENT;
    if (method === "POST" && action === "restore") {
      if (isTaken(name ?? found.name)) return TAKEN;
      found.name = name ?? found.name;
      found.deletedAt = undefined;
      return ok(shown(found));
    }
    if (method === "GET") return ok(shown(found));
    if (found.deletedAt !== undefined) return ABSENT;
    if (method === "DELETE") found.deletedAt = new Date().toISOString();
    else Object.assign(found, present({ text, color, pin }), { revision: found.revision + 1 });
    return ok(shown(found));
  }
}

const ok = (answer: unknown) => ({ status: 200, answer });
const shown = ({ pin: _, ...note }: Stored): Shown => note;
const present = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
