// @module-tag more

import { createClient } from "@libsql/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DeletedError, nameOf, Tenants } from "../../examples/tenants-at-run-time/tenants";
import type { Fault } from "../../platform/reference/faults/faults";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import type { Client } from "../../provider/client/organization-client";
import { clientOf } from "../engine/engine-fixture";
import { full, printingFailures, seeded } from "../full";

const RUNS = full ? 60 : 15;
const GROUP = "tenants";
const SIX_DAYS = 6 * 86_400;

/** Ids whose readable parts are equal. */
const IDS = ["Globex", "globex", "globex.", "g".repeat(60)] as const;
const PROCESSES = 3;

let api: ReferenceApi;
let owner: Client;

beforeAll(async () => {
  const scopes = ["read", "db:create", "db:mint-token"];
  api = await startReferenceApi({
    sql: true,
    seed: {
      users: [{ username: "ada" }],
      organizations: [
        {
          slug: "acme",
          plan: "scaler",
          members: [{ username: "ada", role: "owner" }],
          groups: [{ name: "default" }, { name: GROUP }],
          databases: [{ name: "orders", group: "default" }],
          tokens: [{ name: "service", user: "ada", group: GROUP, scopes }],
        },
      ],
    },
  });
  owner = clientOf(api, api.apiToken);
});
afterAll(() => api.close());

interface Request {
  readonly tenant: number;
  readonly process: number;
}

type Step =
  | {
      readonly kind: "requests";
      readonly requests: readonly Request[];
      readonly faults: readonly Fault[];
      readonly deleting?: number;
    }
  | { readonly kind: "delete" | "restore"; readonly tenant: number }
  | { readonly kind: "restart"; readonly process: number }
  | { readonly kind: "six days" | "reset" };

const tenant = fc.nat(IDS.length - 1);
const process = fc.nat(PROCESSES - 1);

const faults: fc.Arbitrary<Fault> = fc
  .record({
    operation: fc.constantFrom(
      "retrieveDatabase",
      "createDatabase",
      "listDeletedDatabases",
      "createDatabaseTokenById",
      "sql",
    ),
    times: fc.integer({ min: 1, max: 2 }),
    what: fc.constantFrom(
      { reset: "before" },
      { reset: "after" },
      { status: 429 },
      { status: 503, body: "html" },
      { body: "truncated" },
      { omit: ["DbId"] },
    ),
  })
  // The reference API does not read the responses of databases.
  .filter(({ operation, what }) => operation !== "sql" || !("omit" in what))
  .map(({ what, ...rest }) => ({ ...rest, ...what }) as Fault);

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record(
        {
          kind: fc.constant("requests" as const),
          requests: fc.array(fc.record({ tenant, process }), { minLength: 1, maxLength: 10 }),
          faults: fc.array(faults, { maxLength: 2 }),
          deleting: tenant,
        },
        { requiredKeys: ["kind", "requests", "faults"] },
      ),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), tenant }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("restore" as const), tenant }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const), process }) },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: "six days" }, { kind: "reset" }) },
  ),
  { minLength: 1, maxLength: 12 },
);

const newProcess = () => {
  const { url, organization, organizationId, tokens, sql } = api;
  const apiToken = String(tokens.service);
  return new Tenants({
    url,
    organization,
    organizationId,
    apiToken,
    group: GROUP,
    address: String(sql),
    patience: 10_000,
  });
};

const add = (tenants: Tenants, id: string, text: string) =>
  tenants.use(id, (database) => database.execute({ sql: "INSERT INTO notes (text) VALUES (?)", args: [text] }));

const slug = { organizationSlug: "acme" };

async function live(id: string): Promise<string | undefined> {
  const { databases } = await owner.listDatabases(slug);
  const found = databases.filter(({ Name }) => Name === nameOf(id));
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0]?.DbId;
}

const remove = async (id: string): Promise<void> => {
  const databaseId = await live(id);
  if (databaseId) await owner.deleteDatabaseById({ organizationId: api.organizationId, databaseId });
};

async function deleted(id: string): Promise<string[]> {
  const { databases } = await owner.listDeletedDatabases({
    organizationId: api.organizationId,
    query: { deleted: "true" },
  });
  return databases
    .filter(({ Name }) => Name === nameOf(id))
    .sort((one, other) => one.deleted_at.localeCompare(other.deleted_at))
    .map(({ DbId }) => DbId);
}

async function query(databaseId: string, sql: string): Promise<string[]> {
  const { jwt } = await owner.createDatabaseTokenById({ organizationId: api.organizationId, databaseId });
  const client = createClient({ url: String(api.sql).replace("{DbId}", databaseId), authToken: jwt });
  return (await client.execute(sql)).rows.map((row) => String(row[0]));
}

const tablesIn = (databaseId: string) => query(databaseId, "SELECT name FROM sqlite_schema");

const isUsed = async (databaseId: string): Promise<boolean> => (await tablesIn(databaseId)).length > 0;

/** Whether the tenant's requests must be refused, because its data may be in a deleted database. */
async function isLost(id: string): Promise<boolean> {
  const current = await live(id);
  return (await deleted(id)).length > 0 && !(current && (await isUsed(current)));
}

/** Brings the tenant's data back, or shows that there is none. */
async function restore(id: string): Promise<void> {
  for (const databaseId of await deleted(id)) {
    if (!(await isLost(id))) return;
    await remove(id);
    await owner.restoreDatabase({ organizationId: api.organizationId, databaseId });
  }
  if (await isLost(id)) await newProcess().startAnew(id);
}

/** What the tenants wrote, and must find again. */
class Model {
  readonly sent = IDS.map(() => new Set<string>());
  readonly stored = IDS.map(() => new Set<string>());
  forget(index: number): void {
    this.stored[index]?.clear();
  }
}

async function play(step: Step, processes: Tenants[], model: Model, count: () => number): Promise<void> {
  if (step.kind === "restart") processes[step.process] = newProcess();
  if (step.kind === "delete") await remove(IDS[step.tenant] ?? "");
  if (step.kind === "restore") await restore(IDS[step.tenant] ?? "");
  if (step.kind === "reset") {
    await api.reset();
    for (const index of IDS.keys()) model.forget(index);
  }
  if (step.kind === "six days") {
    for (const [index, id] of IDS.entries()) if (await isLost(id)) model.forget(index);
    await api.advance(SIX_DAYS);
  }
  if (step.kind !== "requests") return;
  const lost = await Promise.all(IDS.map(isLost));
  for (const fault of step.faults) api.fault(fault);
  const requests = step.requests.map(async ({ tenant, process }) => {
    const text = String(count());
    model.sent[tenant]?.add(text);
    const outcome = await add(processes[process] as Tenants, IDS[tenant] ?? "", text).then(
      () => "stored",
      (failure) => failure,
    );
    if (outcome === "stored") {
      expect(lost[tenant], "a deleted database is not replaced").toBe(false);
      model.stored[tenant]?.add(text);
    }
  });
  const deleting = step.deleting === undefined ? undefined : remove(IDS[step.deleting] ?? "");
  await Promise.all([...requests, deleting]);
  api.clearFaults();
}

test("every tenant finds what it has written in the one database that is its own, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      printingFailures(async (all) => {
        await api.reset();
        const model = new Model();
        const processes = Array.from({ length: PROCESSES }, newProcess);
        let texts = 0;
        for (const step of all) await play(step, processes, model, () => texts++);
        for (const id of IDS) await restore(id);
        for (const [index, id] of IDS.entries()) {
          const own = await newProcess().use(id, (database) => database.execute("SELECT text FROM notes"));
          const found = own.rows.map(({ text }) => String(text));
          expect(found).toEqual(expect.arrayContaining([...(model.stored[index] ?? [])]));
          expect([...(model.sent[index] ?? [])]).toEqual(expect.arrayContaining(found));
          expect(await query((await live(id)) ?? "", "SELECT tenant FROM _owner")).toEqual([id]);
        }
        const { databases } = await owner.listDatabases({ ...slug, query: { group: GROUP } });
        expect(databases.map(({ Name }) => Name).sort()).toEqual(IDS.map(nameOf).sort());
      }),
    ),
    { numRuns: RUNS, ...seeded },
  );
});

test("a database that another process created and lost in the meantime is not replaced", async () => {
  await api.reset();
  const [slow, fast] = [newProcess(), newProcess()];
  // The creation arrives when the other process has created a database and somebody has deleted it.
  api.fault({ operation: "createDatabase", latency: 2000 });
  const late = add(slow, "globex", "late").catch((failure) => failure);
  await expect.poll(() => api.faults()).toEqual([]);
  await add(fast, "globex", "first");
  const lost = await live("globex");
  await remove("globex");
  const refused = await late;
  expect(refused).toBeInstanceOf(DeletedError);
  const newer = String(await live("globex"));
  expect(refused).toMatchObject({ id: lost, message: expect.stringContaining(`Delete database ${newer}`) });
  expect(await tablesIn(newer)).toEqual([]);
});

test("a name in use in another group is not taken over", async () => {
  await api.reset();
  const { url, organization, organizationId, apiToken, sql } = api;
  await owner.createDatabase({ ...slug, body: { name: nameOf("globex"), group: "default" } });
  const seesAll = new Tenants({ url, organization, organizationId, apiToken, group: GROUP, address: String(sql) });
  await expect(add(seesAll, "globex", "1")).rejects.toThrow('is in group "default" and not in "tenants"');
  const service = { url, organization, organizationId, apiToken: String(api.tokens.service), patience: 300 };
  const seesGroup = new Tenants({ ...service, group: GROUP, address: String(sql) });
  await expect(add(seesGroup, "globex", "1")).rejects.toThrow("exists, but this token does not see it");
});

test("without the list of deleted databases, nothing is created", async () => {
  await api.reset();
  await api.plan("starter");
  await expect(add(newProcess(), "globex", "1")).rejects.toThrow("plan");
  expect(await live("globex")).toBeUndefined();
  await newProcess().startAnew("globex");
  await add(newProcess(), "globex", "1");
  await api.plan("scaler");
});

test("a new tenant takes five requests to the platform, and a known one none", async () => {
  await api.reset();
  const tenants = newProcess();
  const requestsOf = async (text: string) => {
    api.clearJournal();
    await add(tenants, "globex", text);
    return api.journal().filter(({ path }) => path.startsWith("/v1/") || path.startsWith("/v3/")).length;
  };
  expect([await requestsOf("1"), await requestsOf("2")]).toEqual([5, 0]);
});
