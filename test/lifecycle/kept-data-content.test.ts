// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { contentCompared, contentNotCompared, copyIncomplete } from "../../provider/resources/database/messages";
import { connect } from "../engine/rows";
import { organizationSlug } from "../stories/outside";
import { COPIED, KEEP, named, ordersWithRow } from "./kept-data-orders";

const OF = { name: "orders", copy: "sales" };

test("a copy has every table and every row, which the update says, and no message shows a token", async () => {
  const on = await ordersWithRow();
  const { up, told } = await on.run(named("sales", KEEP));
  expect(up.failure, told).toBeUndefined();
  expect(up.said).toContain(contentCompared({ ...OF, tables: 1, rows: 1 }));
  expect(told).not.toContain("eyJ");
});

test.each(["delete from orders", "drop table orders"])("a copy after `%s` replaces nothing", async (sql) => {
  const on = await ordersWithRow();
  let copies = 0;
  on.wire.trouble = ({ operation }) => {
    // The second copy is the one to keep.
    if (operation !== "createDatabase" || copies++ === 0) return undefined;
    return async (exchange) => {
      const { status, text } = await exchange.forward();
      const { jwt } = await on.outside.createDatabaseToken({
        organizationSlug,
        databaseName: "sales",
        query: {},
        body: {},
      });
      await connect(on.api, JSON.parse(text).database.DbId, jwt).execute(sql);
      exchange.send(status, text);
    };
  };
  const { failure } = await on.stack.run(named("sales", KEEP), { preview: false });
  const copied = sql.startsWith("drop") ? undefined : 0;
  expect(failure).toContain(copyIncomplete({ ...OF, table: "orders", rows: 1, copied }));
  await on.wire.heal();
  expect(await on.names()).toEqual(["orders"]);
  expect(await on.write(on.original, "second")).toBe("written");
});

test("a copy that an interrupted update has begun is checked, too", async () => {
  const on = await ordersWithRow();
  await on.kill(named("sales", KEEP), COPIED);
  const { up } = await on.run(named("sales", KEEP));
  expect(up.said).toContain(contentCompared({ ...OF, tables: 1, rows: 1 }));
});

test("a copy whose tables nobody can read is taken as it is, which the update says", async () => {
  const on = await ordersWithRow();
  on.wire.trouble = ({ operation }) =>
    operation === "createDatabaseTokenById" ? (exchange) => exchange.send(403, '{"error": "not allowed"}') : undefined;
  const { up, told } = await on.run(named("sales", KEEP));
  expect(up.failure, told).toBeUndefined();
  expect(up.said.join()).toContain(
    contentNotCompared({ ...OF, cause: "<cause>" })
      .split("<cause>", 1)
      .join(),
  );
  expect(await on.names()).toEqual(["sales"]);
});
