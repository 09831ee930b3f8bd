// @module-tag more

import { expect, test } from "vitest";
import { engineFixture } from "../engine-fixture";
import { connect } from "../rows";

const DAY = 86_400;

test("deletes a tenant only after it is marked as leaving, and renews tokens before they expire", async () => {
  const here = await engineFixture({ sql: true });
  const stack = await here.stack("tenants");
  const up = () => stack.cli("up", "--yes", "--skip-preview");
  const config = (script: string) => stack.shell(`pulumi config ${script}`);
  expect(await up()).toMatchObject({ code: 0 });
  const tenants = await here.databases();
  const names = Object.keys(tenants);
  expect(names.map((name) => name.replace(/-[0-9a-f]{7}$/, ""))).toEqual(["globex", "hooli", "initech"]);
  const [globex = ""] = names;
  const organizationSlug = here.api.organization;
  expect(await here.outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName: globex })).toMatchObject({
    delete_protection: true,
  });
  const { hostnames, tokens } = await stack.outputs();
  expect(hostnames).toMatchObject({ globex: expect.stringMatching(new RegExp(`^${globex}-acme\\.`)) });
  for (const [index, dbId] of Object.values(tenants).entries()) {
    const { rows } = await connect(here.api, dbId, Object.values(tokens as object)[index]).execute(
      "select * from notes",
    );
    expect(rows).toEqual([]);
  }

  await config("rm --path tenants.globex");
  const lost = await up();
  expect(lost.code).not.toBe(0);
  expect(lost.output).toMatch(/globex.* cannot be deleted|because it is protected/);
  expect(await here.databases()).toEqual(tenants);

  const tokenOfHooli = async () => String(((await stack.outputs()).tokens as Record<string, string>).hooli);
  const first = await tokenOfHooli();
  await here.api.advance(80 * DAY);
  await config("set --path tenants.globex.leaving true");
  expect(await up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(tenants);
  await here.api.advance(20 * DAY);
  const hooli = String(Object.values(tenants)[1]);
  await expect(here.api.verifySqlToken(first, hooli)).rejects.toThrow("expired");
  expect(await here.api.verifySqlToken(await tokenOfHooli(), hooli)).toMatchObject({ writes: true });
  await config("rm --path tenants.globex");
  expect(await up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(Object.fromEntries(Object.entries(tenants).slice(1)));
});
