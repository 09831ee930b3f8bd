import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { test } from "vitest";
import * as z from "zod";
import { kit } from "../../kit/kit";
import { Refusal, type RefusalKind, unlessAbsent } from "../../kit/refusal";
import { laws } from "./laws";

/** A queue, as its API shows it. Its name is its id. */
interface Queue {
  readonly name: string;
  readonly type: string;
  readonly limit: number | null;
  readonly labels: number[];
}

/** An API that shows missing values as null, changes and deletes without an answer, compresses, and lists page by page. */
async function start() {
  const queues = new Map<string, Queue>();
  const app = new Hono()
    .use(compress({ threshold: 0 }))
    .get("/queues", (c) => {
      const page = Number(c.req.query("page") ?? 0);
      if (page + 1 < queues.size) c.header("link", `</queues?page=${page + 1}>; rel="next"`);
      return c.json([...queues.values()].slice(page, page + 1));
    })
    .post("/queues", async (c) => {
      const made = Object.assign({ limit: null, labels: [] }, await c.req.json<Queue>());
      if (queues.has(made.name)) return c.json({ error: `there is a queue ${made.name}` }, 409);
      queues.set(made.name, made);
      return c.json(made, 201);
    })
    .use("/queues/:name", async (c, next) =>
      queues.has(c.req.param("name")) ? next() : c.json({ error: "none" }, 404),
    )
    .get("/queues/:name", (c) => c.json(queues.get(c.req.param("name"))))
    .patch("/queues/:name", async (c) => {
      const name = c.req.param("name");
      queues.set(name, { ...(queues.get(name) as Queue), ...(await c.req.json()) });
      return c.body(null, 204);
    })
    .delete("/queues/:name", (c) => {
      queues.delete(c.req.param("name"));
      return c.body(null, 204);
    });
  const server = createAdaptorServer(app) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address?.port}`,
    queues,
    secrets: [],
    stop: async () => void server.close(),
  };
}

const KINDS: Readonly<Record<number, RefusalKind>> = { 404: "absent", 409: "taken" };

class Queues {
  constructor(private readonly url: string) {}

  find = async (name: string) => (await this.#send("GET", `/queues/${name}`)).json() as Promise<Queue>;
  add = async (queue: object) => (await this.#send("POST", "/queues", queue)).json() as Promise<Queue>;
  change = (name: string, changes: object) => this.#send("PATCH", `/queues/${name}`, changes);
  remove = (name: string) => this.#send("DELETE", `/queues/${name}`);

  async *all() {
    let next: string | undefined = "/queues";
    while (next !== undefined) {
      const response = await this.#send("GET", next);
      yield* (await response.json()) as Queue[];
      next = /<(.*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
    }
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    const tried = `could not ${method} ${path}`;
    const headers = { "content-type": "application/json" };
    const options = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(this.url + path, options).catch((cause) => {
      throw new Refusal("unavailable", { tried, answer: "no answer", uncertain: method !== "GET", cause });
    });
    if (response.ok) return response;
    const kind = KINDS[response.status] ?? "unavailable";
    throw new Refusal(kind, { tried, answer: `HTTP ${response.status}`, uncertain: kind === "unavailable" });
  }
}

const { field, provider, resource } = kit<Queues>();

const queue = resource({
  type: "Queue",
  description: "A queue.",
  inputs: {
    name: field.replaces(z.string(), { describe: "Name of the queue." }),
    type: field.replaces(z.string(), { describe: "What works on the queue." }),
    limit: field.plain(z.number().nullable().optional(), { describe: "Most work at once.", default: null }),
    labels: field.plain(z.array(z.number()).optional(), { describe: "Labels.", default: [] }),
  },
  outputs: {},
  read: (name, { platform }) => platform.find(name).catch(unlessAbsent),
  async create(inputs, { platform }) {
    const made = await platform.add(inputs);
    return { id: made.name, state: made };
  },
  async update(name, changes, { platform }) {
    await platform.change(name, changes);
    return changes;
  },
  async delete(name, { platform }) {
    await platform.remove(name);
  },
  async *list({ platform }) {
    for await (const { name } of platform.all()) yield { id: name, name };
  },
  keyed: {
    by: "name",
    async find(name, { platform }) {
      const found = await platform.find(name).catch(unlessAbsent);
      return found && { id: name, state: found };
    },
  },
});

const queues = provider({
  name: "queues",
  version: "1.0.0",
  settings: { description: "Where the queues are.", schema: z.object({ url: z.string() }) },
  resources: [queue],
  connect: ({ url }) => ({ open: () => ({ platform: new Queues(url) }) }),
});

const all = laws({
  provider: queues,
  start,
  settings: (url: string) => ({ url }),
  examples: {
    Queue: [
      {
        args: { name: "mail", type: "process", limit: 4, labels: [1, 2] },
        other: { name: "news", type: "kubernetes", limit: 8, labels: [3] },
        outside: {
          look: async (id, platform) => platform.queues.get(id) as Readonly<Record<string, unknown>> | undefined,
          ids: async (platform) => [...platform.queues.keys()],
          change: async (id, change, platform) =>
            platform.queues.set(id, { ...(platform.queues.get(id) as Queue), ...change }),
          delete: async (id, platform) => platform.queues.delete(id),
        },
      },
    ],
  },
});

for (const { name, run } of all) test(name, run);
