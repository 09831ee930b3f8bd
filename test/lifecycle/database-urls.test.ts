// @module-tag no-false-differences

import { expect, test } from "vitest";
import { UNKNOWN } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { planUpdate } from "../../kit/steps/plan";
import { readManaged } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { lifecycleFixture } from "./lifecycle-fixture";

const inputs = { name: "orders", group: "default" };

test("adds URLs to a state from an earlier provider version, without reporting a difference", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, inputs, here.context);
  expect(state).toMatchObject({ url: `libsql://${state.hostname}`, httpUrl: `https://${state.hostname}` });
  const { url: _url, httpUrl: _httpUrl, ...old } = state;
  const compared = { id, oldInputs: inputs, state: old, news: inputs };
  expect((await diff(database, compared, here.again())).differences).toEqual([]);
  const read = await readManaged(database, { id, inputs, state: old }, here.again());
  expect(read?.state).toEqual(state);
});

test("shows in the preview that a new name changes the database's hostname and URLs", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, inputs, here.context);
  const deleted = { ...state, deletedAt: "2026-11-22T07:17:00Z" };
  const compared = { id, oldInputs: inputs, state: deleted, news: { ...inputs, name: "sales" } };
  const planned = await planUpdate(database, compared, here.again());
  expect(planned).toMatchObject({ hostname: UNKNOWN, url: UNKNOWN, httpUrl: UNKNOWN });
});
