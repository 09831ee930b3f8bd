import type { Seed } from "../../platform/reference/seed/seed";
import { type OpenReferenceApi, startReferenceApi } from "../../platform/reference/server";
import type { Client } from "../../provider/client/organization-client";
import { clientOf } from "../engine/engine-fixture";

/** Ada owns the organization. Zoe and Lea are in none. */
const SEED: Seed = {
  users: ["ada", "zoe", "lea"].map((username) => ({ username })),
  organizations: [
    {
      slug: "acme",
      plan: "scaler",
      members: [{ username: "ada", role: "owner" }],
      groups: [{ name: "default", location: "aws-us-east-1" }],
      databases: [{ name: "staging", group: "default" }],
    },
  ],
};

/** A platform that holds nothing that the examples create. */
export interface Platform {
  readonly api: OpenReferenceApi;
  readonly outside: Client;
  stop(): Promise<void>;
}

/** Reference APIs that no law uses at the moment. Resetting one is faster than starting another. */
const idle: OpenReferenceApi[] = [];

export async function startPlatform(): Promise<Platform> {
  const api = idle.pop() ?? (await startReferenceApi({ seed: SEED, sql: true }));
  return {
    api,
    outside: clientOf(api, api.apiToken),
    async stop() {
      api.clearFaults();
      await api.reset();
      idle.push(api);
    },
  };
}

export async function stopPlatforms(): Promise<void> {
  for (const api of idle.splice(0)) await api.close();
}
