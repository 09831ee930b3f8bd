// @module-tag no-database-is-lost
// @module-tag failures-and-interruptions

import { expect, test } from "vitest";
import { messageOf } from "../../kit/refusal";
import { create } from "../../kit/steps/create";
import { readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import type { Operation } from "../../platform/contract/api";
import { unrelatedResponse } from "../../provider/client/messages";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import type { Trouble } from "../faulty-wire";
import { ask } from "../functions/asking";
import { organizationSlug, withBystanders } from "../lifecycle/bystanders";

const answering =
  (operation: Operation, tell: (path: string) => unknown): Trouble =>
  (exchange) =>
    exchange.operation === operation ? exchange.send(200, JSON.stringify(tell(exchange.path))) : passOn(exchange);

async function passOn({ forward, send }: Parameters<Trouble>[0]) {
  const { status, text } = await forward();
  send(status, text);
}

/** Creates a managed database and deletes it outside Pulumi. */
async function withDeleted() {
  const stage = await withBystanders();
  const args = { name: "orders", group: "default" };
  const { id, state } = await create(database, args, stage.open());
  await stage.outside.deleteDatabaseById({ organizationId: stage.here.api.organizationId, databaseId: id });
  return { ...stage, managed: { id, inputs: args, state } };
}

test.each<[string, () => string]>([
  ["a cursor that never changes", () => "same"],
  ["an endless series of cursors", () => crypto.randomUUID()],
])("rejects a list with %s, and treats no object as deleted", async (_, next) => {
  const { wire, open, managed } = await withDeleted();
  const endless = answering("listDeletedDatabases", () => ({ databases: [], pagination: { next: next() } }));
  wire.trouble = () => endless;
  await expect(readManaged(database, managed, open())).rejects.toMatchObject({ kind: "unreadable" });
});

test("stops reading a list whose numbered pages never end", async () => {
  const { wire, open } = await withBystanders();
  const pagination = { page: 1, page_size: 0, total_pages: 1e9, total_rows: 1e12 };
  const endless = answering("listAuditLogs", () => ({ audit_logs: [], pagination }));
  wire.trouble = () => endless;
  await expect(ask("getAuditLogs", {}, open())).rejects.toMatchObject({ kind: "unreadable" });
});

test("reads a page that has more items than a function call can have arguments", async () => {
  const { wire, open, managed } = await withDeleted();
  const MANY = 150_000;
  const record = { Name: "x", DbId: crypto.randomUUID(), Hostname: "x", group: "default" };
  const huge = answering("listDatabases", () => ({ databases: Array.from({ length: MANY }, () => record) }));
  wire.trouble = () => huge;
  expect((await readManaged(database, managed, open()))?.state).toHaveProperty("deletedAt");
});

test("does not treat a group as deleted if it is missing from a list but can be read by UUID", async () => {
  const { wire, open } = await withBystanders();
  const args = { name: "crew", location: "aws-us-east-1" };
  const { id, state } = await create(group, args, open());
  const none = answering("listGroups", () => ({ groups: [] }));
  wire.trouble = () => none;
  expect((await readManaged(group, { id, inputs: args, state }, open()))?.state).toEqual(state);
});

test("rejects an audit log that is nested too deeply, and returns none of its entries", async () => {
  const { wire, open } = await withBystanders();
  const data = `${'{"x":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  const entry = `{"code":"x","message":"x","origin":"x","author":"x","created_at":"2026-01-01T00:00:00Z","data":${data}}`;
  const pagination = { page: 1, page_size: 1, total_pages: 1, total_rows: 1 };
  const nested = `{"audit_logs":[${entry}],"pagination":${JSON.stringify(pagination)}}`;
  wire.trouble =
    () =>
    ({ send }) =>
      send(200, nested);
  await expect(ask("getAuditLogs", {}, open())).rejects.toMatchObject({ kind: "unreadable" });
});

test("rejects a response that contains an object other than the requested one", async () => {
  const { here, wire, open, outside } = await withBystanders();
  const { organizationId } = here.api;
  const [other] = (await outside.listDatabases({ organizationSlug })).databases;
  const args = { name: "orders", group: "default" };
  const { id, state } = await create(database, args, open());
  const read = answering("retrieveDatabaseById", () => ({ database: other }));
  const nothingListed = answering("listDatabases", () => ({ databases: [] }));
  wire.trouble = ({ operation }) => (operation === "listDatabases" ? nothingListed : read);
  const message = await readManaged(database, { id, inputs: args, state }, open()).then(() => "read", messageOf);
  expect(message).toContain(unrelatedResponse({ field: "database.DbId", value: other?.DbId ?? "" }).answer);
  await wire.heal();

  await outside.deleteDatabaseById({ organizationId, databaseId: id });
  const deleted = { ...state, deletedAt: "2026-01-01T00:00:00Z" };
  const record = { ...other, group_id: state.groupId, organization_id: organizationId };
  const restored = answering("restoreDatabase", () => ({ database: record }));
  wire.trouble = () => restored;
  const updating = update(database, { id, oldInputs: args, state: deleted, news: args }, open());
  await expect(updating).rejects.toThrow(
    unrelatedResponse({ field: "database.DbId", value: other?.DbId ?? "" }).answer,
  );
});

test("removes control characters from the platform's error messages", async () => {
  const { wire, open } = await withBystanders();
  wire.trouble =
    () =>
    ({ send }) =>
      send(400, JSON.stringify({ error: "\u001b[2J\u001b[31mgone\r\n\u0007" }));
  const message = await ask("getGroups", {}, open()).then(String, messageOf);
  expect(message).toContain("gone");
  expect(message).not.toMatch(/\p{Cc}/u);
});
