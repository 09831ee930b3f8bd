// @module-tag more
// @module-tag secrets-stay-secret

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as dbplatform from "pulumi-dbplatform";
import { expect, onTestFinished, test } from "vitest";
import { environmentFor } from "../../tools/reference";
import { faultyWire } from "../faulty-wire";
import { engineFixture } from "./engine-fixture";

test("tokens that migrate databases are in no state, history, log or message between Pulumi and the provider", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.sql`), text);
  const here = await engineFixture({ sql: true });
  const wire = await faultyWire(here.api.url);
  for (const name of ["a", "b", "c"]) await here.createDatabase(name);
  write("0001_orders", "create table orders (item text)");
  const stack = await here.stack(
    async () => {
      const { behind } = new dbplatform.DatabaseMigrations("schema", { group: "default", folder });
      return { behind };
    },
    { environment: environmentFor({ ...here.api, url: wire.url }) },
  );
  const grpc = join(folder, "grpc.json");
  stack.setEnvironment({ PULUMI_DEBUG_GRPC: grpc });
  const loud = { logVerbosity: 11, logToStdErr: true, logFlow: true, debug: true } as const;
  const outputs = [(await stack.up(loud)).output];
  write("0002_bad", "insert into missing values (1)");
  outputs.push((await stack.preview(loud)).output);
  const failed = await stack.up(loud);
  expect(failed.code).not.toBe(0);
  outputs.push(failed.output);
  write("0002_bad", "alter table orders add amount integer");
  const last = await stack.up(loud);
  expect(last).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual({ behind: [] });
  outputs.push(last.output, JSON.stringify(await stack.exportState()), readFileSync(grpc, "utf8"));

  const tokens = new Set(
    wire.requests.flatMap(({ path, authorization = "" }) => (path.startsWith("/sql/") ? [authorization.slice(7)] : [])),
  );
  expect(tokens.size).toBeGreaterThan(5);
  for (const token of tokens) {
    expect(token).toMatch(/^eyJ/);
    expect(outputs.filter((output) => output.includes(token))).toEqual([]);
    expect(stack.filesWith(token)).toEqual([]);
  }
});
