// @module-tag failures-and-interruptions

import { hash } from "node:crypto";
import { createClient } from "@libsql/client/http";
import { expect, onTestFinished, test } from "vitest";
import { fakeStack } from "../fake-engine/fake-engine";
import { migratedGroup } from "./migrated-group";

const COUNT = 12;

/** Migrations that fail, or leave a second row, if they are applied twice. */
const ADDING = Object.fromEntries(
  Array.from({ length: COUNT }, (_, index) => {
    const name = `${String(1000 + index)}_step`;
    return [name, `create table if not exists steps (name text);\ninsert into steps values ('${name}')`];
  }),
);

async function withSteps() {
  const group = await migratedGroup(["a"]);
  group.folder.remove("0001_orders");
  group.folder.remove("0002_amount");
  for (const [name, text] of Object.entries(ADDING)) group.folder.write(name, text);
  const steps = () => group.execute("a", "select name from steps");
  const applied = () => group.execute("a", "select name from __dbplatform_migrations order by rowid");
  return { ...group, steps, applied };
}

test("two updates at once apply each migration once", async () => {
  const group = await withSteps();
  const other = fakeStack({ api: group.api });
  onTestFinished(() => other.close());
  const ended = await Promise.all([group.up(), other.run(group.program(), { preview: false })]);
  expect(await group.steps()).toEqual(Object.keys(ADDING));
  expect(await group.applied()).toEqual(Object.keys(ADDING));
  expect(ended.map(({ failure }) => failure)).toEqual([undefined, undefined]);
});

test("a migration that another program has applied meanwhile is not applied again", async () => {
  const group = await withSteps();
  const { jwt } = await group.outside.createGroupToken({ organizationSlug: "acme", groupName: "default" });
  const url = String(group.api.sql).replace("{DbId}", String((await group.ids()).a));
  const client = createClient({ url, authToken: jwt });
  onTestFinished(() => client.close());
  const [first = ""] = Object.keys(ADDING);
  let isFirst = true;
  group.wire.trouble = ({ path }) =>
    path.startsWith("/sql/")
      ? async (exchange) => {
          if (exchange.body.includes("BEGIN") && isFirst) {
            isFirst = false;
            await client.batch([
              "create table __dbplatform_migrations (name text primary key, hash text not null, applied_at text not null)",
              `insert into __dbplatform_migrations values ('${first}', '${hash("sha256", String(ADDING[first]))}', '')`,
              "create table steps (name text)",
              `insert into steps values ('${first}')`,
            ]);
          }
          const { status, text } = await exchange.forward();
          exchange.send(status, text);
        }
      : undefined;
  expect((await group.up()).failure).toBeUndefined();
  expect(await group.steps()).toEqual(Object.keys(ADDING));
  expect(await group.applied()).toEqual(Object.keys(ADDING));
});
