import { expect, test } from "vitest";
import { changedOutside } from "../../kit/lifecycle/messages";
import { Connection } from "../../provider/client/http/client";
import { authorName } from "../../provider/client/messages";
import { databaseDeleted } from "../../provider/resources/database/messages";
import { engineFixture } from "./engine-fixture";
import { yamlProject } from "./yaml-project";

const PROGRAM = `
resources:
  orders:
    type: dbplatform:Database
    properties: { name: orders, group: default }
  shop:
    type: dbplatform:Database
    properties: { name: shop, group: default }
  limits:
    type: dbplatform:DatabaseConfiguration
    properties: { database: "\${shop.dbId}", blockWrites: true }
outputs:
  orders: \${orders.dbId}
`;

test("a plain preview names the users who deleted one database and changed another", async () => {
  const here = await engineFixture();
  const { api } = here;
  const organizationSlug = api.organization;
  const stack = await here.stack({ folder: yamlProject("drifting", PROGRAM) });
  await stack.deploy();
  const { orders } = (await stack.outputs()) as { orders: string };
  const asked = () => api.journal().filter(({ operation }) => operation === "listAuditLogs").length;
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(asked()).toBe(0);

  await api.advance(60);
  await api.member("max", "admin");
  const as = async (user: string, userAgent: string) =>
    new Connection({ baseUrl: api.url, apiToken: await api.token({ user }), userAgent }).client({
      signal: new AbortController().signal,
    });
  const [max, ada] = [await as("max", "Mozilla/5.0"), await as("ada", "turso-cli/1.0.4 (linux/amd64)")];
  const body = { block_writes: false };
  await max.updateDatabaseConfiguration({ organizationSlug, databaseName: "shop", body });
  await api.advance(20 * 60 + 1);
  await ada.deleteDatabase({ organizationSlug, databaseName: "orders" });

  const preview = await stack.preview({ expectNoChanges: true });
  expect(preview.code).toBe(7);
  const { deletedAt, restorableUntil } = await deletionOf(orders);
  const deletion = databaseDeleted({
    name: "orders",
    isDeletedWithGroup: false,
    deletedAt,
    restorableUntil,
    by: { author: "ada", origin: "cli" },
  });
  const change = changedOutside({
    properties: ["blockWrites"],
    thing: "this database configuration",
    author: authorName({ by: { author: "max", origin: "web" } }),
    ago: "20 minutes ago",
  });
  expect(preview.output).toContain(deletion);
  expect(preview.output).toContain(change);
  expect(asked()).toBe(1);

  const { output } = await stack.cli("preview", "--json");
  const { diagnostics } = JSON.parse(output.slice(output.indexOf("{"))) as { diagnostics: readonly object[] };
  for (const message of [deletion, change])
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ severity: "warning", message: expect.stringContaining(message) }),
    );

  async function deletionOf(id: string) {
    const query = { deleted: "true" } as const;
    const { databases } = await here.outside.listDeletedDatabases({ organizationId: api.organizationId, query });
    const at = Date.parse(String(databases.find(({ DbId }) => DbId === id)?.deleted_at));
    const iso = (ms: number) => new Date(ms).toISOString();
    return { deletedAt: iso(at), restorableUntil: iso(at + 5 * 86_400_000) };
  }
});
