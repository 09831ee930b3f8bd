import { expect } from "vitest";
import type { Operation } from "../../platform/contract/api";
import { engineFixture } from "../engine/engine-fixture";
import { connect, fill, namesIn } from "../engine/rows";
import type { Program } from "../fake-engine/declared-program";
import type { StackOptions } from "../fake-engine/declared-stack";
import { fakeStack } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { aDatabase, type Declarations } from "../stories/declarations";
import { organizationSlug } from "../stories/outside";

type Args = Parameters<typeof aDatabase>[0];

export const programOf = (declared: Declarations): Program => new Map(Object.entries(declared));

export const named = (name: string, more: Args = {}): Program =>
  programOf({ orders: aDatabase({ name, group: "default", ...more }) });

export const KEEP = { keepData: true };

/** The request at which a process is killed. */
interface At {
  readonly operation: Operation;
  /** Number of the request of this operation, from 0. */
  readonly nth: number;
  readonly when: "before" | "after";
}

export const REHEARSED: At = { operation: "createDatabase", nth: 0, when: "after" };
export const BLOCKED: At = { operation: "updateDatabaseConfiguration", nth: 0, when: "after" };
export const COPIED: At = { operation: "createDatabase", nth: 1, when: "after" };
export const NOT_DELETED: At = { operation: "deleteDatabaseById", nth: 0, when: "before" };

/** A stack with a database that has one row, "first". */
export async function ordersWithRow(settings: StackOptions["settings"] = {}, program = named("orders")) {
  const { api, outside } = await engineFixture({ sql: true });
  const wire = await faultyWire(api.url);
  const stack = fakeStack({ api, baseUrl: wire.url, settings });
  expect((await stack.run(program, { preview: false })).failure).toBeUndefined();
  const idNow = async () => String((await stack.managed()).get("orders")?.id);
  const original = await idNow();
  const { jwt } = await outside.createGroupToken({ organizationSlug, groupName: "default" });
  await fill(connect(api, original, jwt), "first");
  const databases = async () => (await outside.listDatabases({ organizationSlug })).databases;
  return {
    api,
    outside,
    wire,
    stack,
    original,
    idNow,
    databases,
    rowsOf: (id: string) => namesIn(connect(api, id, jwt)),
    names: async () => (await databases()).map(({ Name }) => Name).sort(),
    isBlocked: async (name: string) => (await databases()).find(({ Name }) => Name === name)?.block_writes,
    write: (id: string, row: string) =>
      connect(api, id, jwt)
        .execute({ sql: "insert into orders values (?)", args: [row] })
        .then(
          () => "written",
          () => "refused",
        ),
    configure: (databaseName: string, body: object) =>
      outside.updateDatabaseConfiguration({ organizationSlug, databaseName, body }),
    async copyByHand(name: string) {
      const body = { name, group: "default", seed: { type: "database", name: "orders" } } as const;
      return (await outside.createDatabase({ organizationSlug, body })).database.DbId;
    },
    /** Runs an update whose process is killed. */
    async kill(next: Program, { operation, nth, when }: At) {
      const process = new AbortController();
      let seen = 0;
      wire.trouble = (asked) => {
        if (process.signal.aborted) return (exchange) => exchange.cut();
        if (asked.operation !== operation || seen++ !== nth) return undefined;
        return async (exchange) => {
          if (when === "after") await exchange.forward();
          process.abort();
          exchange.cut();
        };
      };
      const ended = await stack.run(next, { preview: false, killed: process.signal });
      expect(process.signal.aborted, JSON.stringify(ended)).toBe(true);
      wire.trouble = undefined;
    },
    async run(next: Program) {
      const preview = await stack.run(next, { preview: true });
      const up = await stack.run(next, { preview: false });
      return { preview, up, told: JSON.stringify({ preview, up }, undefined, 1) };
    },
  };
}
