// @module-tag no-database-is-lost

import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { full } from "../full";
import { engineFixture } from "./engine-fixture";
import { connect } from "./rows";

const GROUPS = 10;
const DATABASES_EACH = 100;
const ROWS_EACH = 100;
const CLIENTS = 16;

interface Tenants {
  readonly token: string;
  readonly databases: readonly string[];
}

/** Calls `work` for each item, a few at a time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: CLIENTS }, worker));
}

test.runIf(full)(
  "one `up` brings back 1,000 databases that were deleted with their groups, with every row",
  async () => {
    const here = await engineFixture({ sql: true });
    const { api, outside } = here;
    const stack = await here.stack(async () =>
      Object.fromEntries(
        Array.from({ length: GROUPS }, (_, number) => {
          const name = `group-${number}`;
          const group = new dbplatform.Group(name, { name, location: "aws-us-east-1" }).id;
          const { token } = new dbplatform.GroupToken(name, { group });
          const databases = Array.from({ length: DATABASES_EACH }, (_, index) => {
            const name = `db-${number}-${index}`;
            return new dbplatform.Database(name, { name, group }).dbId;
          });
          return [name, { token, databases }];
        }),
      ),
    );
    // Writes the state once, because a thousand checkpoints would take most of the time.
    stack.setEnvironment({ PULUMI_EXPERIMENTAL: "1", PULUMI_SKIP_CHECKPOINTS: "true" });
    await stack.deploy();
    const first = (await stack.outputs()) as Record<string, Tenants>;
    const all = Object.values(first).flatMap(({ token, databases }) => databases.map((dbId) => ({ dbId, token })));
    expect(all).toHaveLength(GROUPS * DATABASES_EACH);
    await forEach(all, ({ dbId, token }) =>
      connect(api, dbId, token).executeMultiple(`
      create table items (owner text, number integer);
      with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${ROWS_EACH})
      insert into items select '${dbId}', number from numbers`),
    );
    for (const groupName of Object.keys(first))
      await outside.deleteGroup({ organizationSlug: api.organization, groupName });
    expect(await here.databases()).toEqual({});

    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.outputs()).toEqual(first);
    let rows = 0;
    await forEach(all, async ({ dbId, token }) => {
      const sql = "select count(distinct number) as n from items where owner = ?";
      const [row] = (await connect(api, dbId, token).execute({ sql, args: [dbId] })).rows;
      rows += Number(row?.n);
    });
    expect(rows).toBe(GROUPS * DATABASES_EACH * ROWS_EACH);
  },
);
