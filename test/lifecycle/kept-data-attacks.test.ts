// @module-tag more
// @module-tag no-database-is-lost
// @module-tag failures-and-interruptions

import { describe, expect, test } from "vitest";
import { aConfiguration, aDatabase, aDatabaseToken, aRotation, dbIdOf } from "../stories/declarations";
import { organizationSlug } from "../stories/outside";
import { BLOCKED, COPIED, KEEP, NOT_DELETED, named, ordersWithRow, programOf, REHEARSED } from "./kept-data-orders";

describe("no row is lost, and no database of others is adopted or deleted:", () => {
  test("a copy that somebody else made before is not gone on with", async () => {
    const on = await ordersWithRow();
    const own = await on.copyByHand("sales");
    await on.write(on.original, "second");
    await on.kill(named("takings", KEEP), BLOCKED);
    const { preview, up, told } = await on.run(named("sales", KEEP));
    expect(await on.idNow(), told).not.toBe(own);
    expect(await on.rowsOf(await on.idNow()), told).toEqual(["first", "second"]);
    expect([preview.failure, up.failure], told).toEqual([expect.any(String), expect.any(String)]);
  });

  test("a copy of an earlier update that was undone is not gone on with", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales", KEEP), COPIED);
    await on.stack.run(named("orders", KEEP), { preview: false });
    expect(await on.write(on.original, "second")).toBe("written");
    await on.kill(named("takings", KEEP), BLOCKED);
    const { told } = await on.run(named("sales", KEEP));
    expect(await on.rowsOf(await on.idNow()), told).toEqual(["first", "second"]);
  });

  test("a copy is not gone on with once somebody has allowed writes, even if they are blocked again", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales", KEEP), COPIED);
    await on.configure("orders", { block_writes: false });
    expect(await on.write(on.original, "second")).toBe("written");
    await on.kill(named("takings", KEEP), BLOCKED);
    const { told } = await on.run(named("sales", KEEP));
    expect(await on.rowsOf(await on.idNow()), told).toEqual(["first", "second"]);
  });

  test("a database to which somebody has allowed writes after the copy is not deleted", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales", KEEP), NOT_DELETED);
    await on.configure("orders", { block_writes: false });
    expect(await on.write(on.original, "second")).toBe("written");
    const { told } = await on.run(named("sales", KEEP));
    expect(await on.names(), told).toContain("orders");
  });

  test("a first copy is deleted although its database was deleted by a killed update, and the next one failed", async () => {
    const on = await ordersWithRow({}, named("orders", KEEP));
    await on.kill(named("sales", KEEP), { operation: "deleteDatabaseById", nth: 1, when: "before" });
    // The second copy, which is to stay, is configured last.
    let [configured, isLost] = [0, false];
    on.wire.trouble = ({ operation }) => {
      isLost ||= configured === 2;
      if (operation === "retrieveDatabaseConfiguration") configured++;
      return isLost ? (exchange) => exchange.cut() : undefined;
    };
    expect((await on.stack.run(named("orders", KEEP), { preview: false })).failure).toBeDefined();
    await on.wire.heal();
    const { told } = await on.run(named("orders", KEEP));
    expect(await on.names(), told).toEqual(["orders"]);
  });

  test("the advice after an undo deletes no database that is newer", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales", KEEP), NOT_DELETED);
    await on.write(await on.idNow(), "second");
    const { up } = await on.run(named("orders"));
    expect(up.failure).not.toContain(`declare a second resource with \`import: "${on.original}"\` and remove this`);
  });

  test("the advice for the same rename after an undo does not delete the original", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales", KEEP), COPIED);
    await on.stack.run(named("orders", KEEP), { preview: false });
    expect(await on.write(on.original, "second")).toBe("written");
    const { up } = await on.run(named("sales", KEEP));
    expect(up.failure).not.toContain('remove this resource, which deletes database "orders"');
  });

  test("a program that adds `keepData` can still take back a replacement without it", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales"), NOT_DELETED);
    const { up, told } = await on.run(named("orders", KEEP));
    expect(up.failure, told).toBeUndefined();
    expect(await on.rowsOf(await on.idNow()), told).toEqual(["first"]);
  });
});

describe("one database accepts writes after the next update:", () => {
  test("a database that was deleted while writes were blocked is restored and accepts writes", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales", KEEP), BLOCKED);
    await on.outside.deleteDatabaseById({ organizationId: on.api.organizationId, databaseId: on.original });
    const { told } = await on.run(named("orders", KEEP));
    expect(await on.write(on.original, "second"), told).toBe("written");
  });
});

describe("the update does what the preview says:", () => {
  test("a copy in another group than the program wants is not gone on with", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales", KEEP), COPIED);
    const { up, told } = await on.run(named("sales", { ...KEEP, group: "other" }));
    const live = (await on.databases()).find(({ Name }) => Name === "sales");
    const managed = (await on.stack.managed()).get("orders");
    if (managed?.id === live?.DbId) expect(managed?.outputs.groupName, told).toBe(live?.group);
    if (up.failure === undefined) expect(live?.group, told).toBe("other");
  });

  test("a name of the rehearsal that is taken is refused in the preview, with that name", async () => {
    const on = await ordersWithRow();
    const name = `copy-of-${on.original.slice(-12)}`;
    await on.outside.createDatabase({ organizationSlug, body: { name, group: "default" } });
    const { preview, up, told } = await on.run(named("sales", KEEP));
    expect(up.failure, told).not.toContain('database name "sales" is already in use');
    expect(preview.failure, told).toContain(name);
  });

  test("a program without the option does not go on with a copy, and the preview says so", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales", KEEP), COPIED);
    const { preview, up, told } = await on.run(named("sales"));
    expect(preview.failure === undefined, told).toBe(up.failure === undefined);
  });

  test("a preview does not call a copy empty if `replaceOnChanges` asks for it", async () => {
    const of = (args: object) => {
      const orders = aDatabase({ group: "default", ...args }, { replaceOnChanges: ["keepData"] });
      return programOf({ orders });
    };
    const on = await ordersWithRow({}, of({}));
    const { preview, told } = await on.run(of(KEEP));
    const [found] = await on.databases();
    expect(preview.said.join().includes("new, empty"), told).toBe(!found?.parent);
  });
});

describe("messages and remains:", () => {
  test("an error does not say that writes stay blocked if they are allowed", async () => {
    const on = await ordersWithRow();
    let seen = 0;
    on.wire.trouble = ({ operation }) => {
      if ((operation === "createDatabase" && seen++ === 1) || operation === "deleteDatabaseById")
        return (exchange) => exchange.send(400, '{"error":"not now"}');
      return undefined;
    };
    const { failure } = await on.stack.run(named("sales", KEEP), { preview: false });
    expect(await on.write(on.original, "second")).toBe("written");
    expect(failure).not.toContain("stay blocked");
  });

  test("an update that deletes an interrupted database names the copy that it leaves", async () => {
    const on = await ordersWithRow();
    await on.kill(named("sales", KEEP), COPIED);
    const { told } = await on.run(programOf({}));
    expect(await on.names(), told).toEqual(["sales"]);
    expect(told).toContain('\\"sales\\"');
  });
});

test("a database whose update was killed before the block can leave the program", async () => {
  const on = await ordersWithRow();
  await on.kill(named("sales", KEEP), REHEARSED);
  const { up, told } = await on.run(programOf({}));
  expect(up.failure, told).toBeUndefined();
  expect(await on.names(), told).toEqual([]);
});

test("a database whose update was killed before the block can be replaced without its data", async () => {
  const on = await ordersWithRow();
  await on.kill(named("sales", KEEP), REHEARSED);
  const { up, told } = await on.run(named("sales"));
  expect(up.failure, told).toBeUndefined();
  expect(await on.names(), told).toEqual(["sales"]);
});

test("a database to which somebody has allowed writes after an interruption can leave the program", async () => {
  const on = await ordersWithRow();
  await on.kill(named("sales", KEEP), COPIED);
  await on.configure("orders", { block_writes: false });
  const { up, told } = await on.run(programOf({}));
  expect(up.failure, told).toBeUndefined();
});

test("a refused end of a begun copy deletes no copy that somebody else has made since the block", async () => {
  const on = await ordersWithRow();
  await on.configure("orders", { allowed_ips: ["10.0.0.0/8"] });
  await on.kill(named("takings", KEEP), { operation: "createDatabase", nth: 1, when: "before" });
  const own = await on.copyByHand("sales");
  on.wire.trouble = ({ operation, path }) =>
    operation === "updateDatabaseConfiguration" && path.includes("/sales/")
      ? (exchange) => exchange.send(400, '{"error":"not allowed"}')
      : undefined;
  const { told } = await on.run(named("sales", KEEP));
  expect(
    (await on.databases()).map(({ DbId }) => DbId),
    told,
  ).toContain(own);
});

const pair = (orders: string, other: string, more: object = {}) =>
  programOf({
    other: aDatabase({ name: other, group: "default", ...more }),
    orders: aDatabase({ name: orders, group: "default", ...more }),
  });

test("renames two databases at once", async () => {
  const on = await ordersWithRow({}, pair("orders", "other"));
  const { up, told } = await on.run(pair("orders-2", "other-2", KEEP));
  expect(up.failure, told).toBeUndefined();
  expect(await on.names(), told).toEqual(["orders-2", "other-2"]);
});

test("refuses an exchange of names in the preview, and changes nothing", async () => {
  const on = await ordersWithRow({}, pair("orders", "other"));
  const { preview, up, told } = await on.run(pair("other", "orders", KEEP));
  expect([preview.failure, up.failure], told).toEqual([expect.any(String), expect.any(String)]);
  expect(await on.write(on.original, "second"), told).toBe("written");
});

test("keeps what was written between two replacements of which neither could delete the old one", async () => {
  const on = await ordersWithRow();
  await on.kill(named("sales", KEEP), NOT_DELETED);
  await on.write(await on.idNow(), "second");
  await on.kill(named("takings", KEEP), NOT_DELETED);
  const { up, told } = await on.run(named("takings", KEEP));
  expect(up.failure, told).toBeUndefined();
  expect(await on.names(), told).toEqual(["takings"]);
  expect(await on.rowsOf(await on.idNow()), told).toEqual(["first", "second"]);
});

test("copies a database that has a seed of its own, and settles", async () => {
  const of = (name: string, more: object) =>
    programOf({
      base: aDatabase({ name: "base", group: "default" }),
      orders: aDatabase({ name, group: "default", seed: { database: dbIdOf("base") }, ...more }),
    });
  const on = await ordersWithRow({}, of("orders", {}));
  const { up, told } = await on.run(of("sales", KEEP));
  expect(up.failure, told).toBeUndefined();
  expect(await on.rowsOf(await on.idNow())).toEqual(["first"]);
  expect((await on.run(of("sales", KEEP))).up.changes).toEqual([]);
});

test("copies a database with a token, a rotation, a configuration and a copy in the same program", async () => {
  const database = dbIdOf("orders");
  const of = (name: string, more: object) =>
    programOf({
      orders: aDatabase({ name, group: "default", ...more }),
      app: aDatabaseToken({ database }),
      rotation: aRotation({ database, triggers: { turn: "1" } }),
      settings: aConfiguration({ database, blockWrites: false, allowAttach: true }),
      archive: aDatabase({ name: "archive", group: "default", seed: { database } }),
    });
  const on = await ordersWithRow({}, of("orders", {}));
  await on.kill(of("sales", KEEP), COPIED);
  const { up, told } = await on.run(of("sales", KEEP));
  expect(up.failure, told).toBeUndefined();
  expect(await on.names()).toEqual(["archive", "sales"]);
  expect(await on.isBlocked("sales")).toBe(false);
});

test("does not send a setting that this version does not know", async () => {
  const on = await ordersWithRow();
  const sent: string[] = [];
  on.wire.trouble = ({ operation }) => {
    if (operation === "retrieveDatabaseConfiguration")
      return async (exchange) => {
        const { status, text } = await exchange.forward();
        exchange.send(status, JSON.stringify({ ...JSON.parse(text), usage_tier: "gold" }));
      };
    if (operation !== "updateDatabaseConfiguration") return undefined;
    return async (exchange) => {
      sent.push(exchange.body);
      const { status, text } = await exchange.forward();
      exchange.send(status, text);
    };
  };
  const { failure } = await on.stack.run(named("sales", KEEP), { preview: false });
  expect(failure).toBeUndefined();
  expect(sent.join()).not.toContain("gold");
});
