import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as dbplatform from "pulumi-dbplatform";
import { expect, onTestFinished, test } from "vitest";
import { engineFixture } from "./engine-fixture";
import { connect } from "./rows";

/** A folder of migrations as drizzle-kit writes it. */
function drizzleFolder() {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "meta"));
  const entries: object[] = [];
  return {
    folder,
    add(tag: string, ...statements: readonly string[]) {
      writeFileSync(join(folder, `${tag}.sql`), statements.join("\n--> statement-breakpoint\n"));
      entries.push({
        idx: entries.length,
        version: "6",
        when: 1_790_000_000_000 + entries.length,
        tag,
        breakpoints: true,
      });
      writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ version: "7", dialect: "turso", entries }));
    },
  };
}

test("creates a database with its tables, shows what is pending, and applies it once", async () => {
  const here = await engineFixture({ sql: true });
  const migrations = drizzleFolder();
  migrations.add(
    "0000_orders",
    "CREATE TABLE orders (id integer primary key, item text);",
    "CREATE INDEX by_item ON orders (item);",
  );
  const stack = await here.stack(async () => {
    const { dbId } = new dbplatform.Database("orders", { name: "orders", group: "default" });
    const { token } = new dbplatform.DatabaseToken("app", { database: dbId });
    const schema = new dbplatform.DatabaseMigrations("schema", { database: dbId, folder: migrations.folder });
    return { dbId, token, migrations: schema.migrations, restorePoint: schema.restorePoint };
  });
  const preview = await stack.preview();
  console.log(preview.output);
  await stack.deploy();
  const outputs = await stack.outputs();
  console.log(outputs);
  const client = connect(here.api, outputs.dbId, outputs.token);
  await client.execute("insert into orders (item) values ('tea')");
  const again = await stack.up({ expectNoChanges: true });
  console.log(again.output);
  migrations.add("0001_amount", "ALTER TABLE orders ADD amount integer DEFAULT 1;");
  const pending = await stack.preview();
  console.log(pending.output);
  const up = await stack.up();
  console.log(up.output);
  expect((await client.execute("select item, amount from orders")).rows).toMatchObject([{ item: "tea", amount: 1 }]);
  await client.execute("delete from __drizzle_migrations where created_at = 1790000000001");
  await client.execute("alter table orders drop column amount");
  const drift = await stack.preview();
  console.log(drift.output);
  const destroy = await stack.destroy();
  console.log(destroy.output);
});
