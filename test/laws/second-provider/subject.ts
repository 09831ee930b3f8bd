import type { Subject } from "../subject";
import type { Database } from "./client";
import { d1 } from "./provider";
import { standIn } from "./stand-in";

const ACCOUNT = "acme";
const TOKEN = "right";

interface D1Platform {
  readonly url: string;
  readonly secrets: readonly string[];
  /** Sends a request as somebody who does not use Pulumi. */
  ask<T>(method: string, path: string, body?: object): Promise<T | undefined>;
  stop(): Promise<void>;
}

async function start(): Promise<D1Platform> {
  const { url, close } = await standIn();
  return {
    url,
    secrets: [TOKEN],
    async ask<T>(method: string, path: string, body?: object) {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const options = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${url}/accounts/${ACCOUNT}/d1/database${path}`, options);
      return response.ok ? ((await response.json()) as { result: T }).result : undefined;
    },
    stop: async () => close(),
  };
}

export const secondProvider: Subject<D1Platform> = {
  provider: d1,
  start,
  settings: (baseUrl) => ({ baseUrl, account: ACCOUNT, apiToken: TOKEN }),
  examples: {
    Database: [
      {
        args: { name: "orders", jurisdiction: "eu", readReplication: "auto" },
        other: { name: "sales", jurisdiction: "fedramp", readReplication: "disabled" },
        outside: {
          async look(id, { ask }) {
            const found = await ask<Database>("GET", `/${id}`);
            const { name, jurisdiction, read_replication } = found ?? {};
            return found && { name, jurisdiction, readReplication: read_replication?.mode };
          },
          ids: async ({ ask }) => ((await ask<Database[]>("GET", "")) ?? []).map(({ uuid }) => uuid),
          change: (id, { readReplication }, { ask }) =>
            ask("PATCH", `/${id}`, { read_replication: { mode: readReplication } }),
          delete: (id, { ask }) => ask("DELETE", `/${id}`),
        },
      },
    ],
  },
};
