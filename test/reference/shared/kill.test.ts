import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../../platform/reference/store/open";
import type { Store } from "../../../platform/reference/store/store";
import { type ApiCaller, calling } from "../calling";
import { type Data, freshData } from "../data";
import { brokenInvariants } from "../invariants";
import { type ServerProcess, startProcess } from "./process";

const ROUNDS = 5;
const CALLERS = 16;
const LONGEST_MS = 600;

let data: Data;
let store: Store;
let servers: ServerProcess[] = [];

beforeAll(async () => {
  data = await freshData();
  store = await openStore(data.place);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await store.close();
  await data.remove();
});

const NOBODY = { apiToken: "", organizationId: "" };

/**
 * The state of each group, database and token, as confirmed by a response with status 200. The map has no entry for a
 * group, database or token while a request that changes it is unanswered.
 */
type Answered = Map<string, "lives" | "deleted">;

test("§4 confirmed writes survive kill -9 of two servers, and no write is left incomplete", async () => {
  const answered: Answered = new Map();
  const moments: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    servers = await Promise.all([startProcess(data.place), startProcess(data.place)]);
    const callers = Array.from({ length: CALLERS }, (_, caller) => work(`${round}-${caller}`, answered));
    moments.push(Math.random() * LONGEST_MS);
    await wait(moments.at(-1));
    // Kills the servers one after the other, so that the second server sees what the first one left behind.
    for (const server of servers) await server.kill();
    await Promise.all(callers);

    const lives = await living();
    const lost = [...answered].filter(([what, state]) => lives.has(what) !== (state === "lives"));
    const broken = await store.read(brokenInvariants);
    expect({ moments, lost, broken }).toEqual({ moments, lost: [], broken: [] });
  }
  expect(answered.size).toBeGreaterThan(ROUNDS);
});

/** Creates, deletes and restores groups, databases and tokens until the servers are killed. */
async function work(who: string, answered: Answered): Promise<void> {
  const say = (what: readonly string[], state: "lives" | "deleted") => {
    for (const each of what) answered.set(each, state);
  };
  const unsure = (what: readonly string[]) => {
    for (const each of what) answered.delete(each);
  };
  /** Removes the names in `what` from `answered`, and adds them with their new state once the request succeeds. */
  const step = async (what: readonly string[], state: "lives" | "deleted", request: Promise<unknown>) => {
    unsure(what);
    await request;
    say(what, state);
  };
  const caller = alternating();
  const slug = { organizationSlug: "acme" };
  const { organizationId } = servers[0] ?? NOBODY;
  try {
    for (let story = 0; ; story += 1) {
      const name = `x${who}-${story}`;
      const [group, one, two, token] = [`group ${name}`, `database ${name}-1`, `database ${name}-2`, `token ${name}`];
      const { ok } = caller;
      const created = ok("createGroup", { ...slug, body: { name, location: "aws-us-east-1" } });
      await step([group], "lives", created);
      await step([one], "lives", ok("createDatabase", { ...slug, body: { name: `${name}-1`, group: name } }));
      await step([two], "lives", ok("createDatabase", { ...slug, body: { name: `${name}-2`, group: name } }));
      const body = { organization: "acme", group: name, scopes: ["read"] };
      await step([token], "lives", ok("createApiToken", { tokenName: name, body }));
      await step([one], "deleted", ok("deleteDatabase", { ...slug, databaseName: `${name}-1` }));
      await step([group, two, token], "deleted", ok("deleteGroup", { ...slug, groupName: name }));
      const restored = { organizationId, groupId: (await created).group.uuid };
      await step([group, two], "lives", ok("restoreGroup", restored));
      await step([group, two], "deleted", ok("deleteGroup", { ...slug, groupName: name }));
    }
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
  }
}

/** Returns whether the response was lost or incomplete because the server was killed. */
const isGone = (thrown: unknown): boolean => thrown instanceof TypeError;

/** Returns a caller that alternates between the servers. */
function alternating(): ApiCaller {
  let asked = 0;
  const { apiToken } = servers[0] ?? NOBODY;
  const { length } = servers;
  const started = [...servers];
  return calling({
    apiToken,
    get url() {
      asked += 1;
      return started[asked % length]?.url ?? "";
    },
  });
}

async function living(): Promise<Set<string>> {
  const names = (kind: string, rows: { name: string }[]) => rows.map(({ name }) => `${kind} ${name}`);
  return store.read(async (state) => {
    const groups = await state.selectFrom("groups").select("name").where("deleted_at", "is", null).execute();
    const databases = await state.selectFrom("databases").select("name").where("deleted_at", "is", null).execute();
    const tokens = await state.selectFrom("tokens").select("name").execute();
    return new Set([...names("group", groups), ...names("database", databases), ...names("token", tokens)]);
  });
}
