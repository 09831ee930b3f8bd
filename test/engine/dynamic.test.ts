import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { world } from "./world";

test("through the dynamic door a database is created, left alone, restored after a deletion outside, imported from the dead, and destroyed", async () => {
  const here = await world();
  const forgotten = await here.database("forgotten");
  await here.delete(forgotten);
  here.writes();
  let importing: string | undefined;
  let group = "default";
  const stack = await here.stack(async () => {
    const { dbId, name } = new dynamic.Database("orders", { group: "default" });
    if (importing) new dynamic.Database("forgotten", { group }, { import: importing });
    return { dbId, name };
  });
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual([]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { dbId, name } = (await stack.outputs()) as { dbId: string; name: string };
  expect(name).toMatch(/^orders-[0-9a-f]{7}$/);
  expect(await here.databases()).toEqual({ [name]: dbId });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual(["createDatabase"]);

  await here.delete(dbId);
  const drift = await stack.preview({ refresh: true, expectNoChanges: true } as never);
  expect(drift.code).toBe(7);
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ [name]: dbId });

  importing = "00000000-0000-4000-8000-000000000000";
  const unknown = await stack.up();
  expect(unknown.code).not.toBe(0);
  expect(unknown.output).toContain("never existed in organization");
  importing = forgotten;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ [name]: dbId, forgotten });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.refresh()).toMatchObject({ code: 0 });

  // A replacement would need the name of the imported one.
  group = "other";
  const replacing = await stack.preview();
  expect(replacing.code).not.toBe(0);
  expect(replacing.output).toContain("Remove `import`, then change it");
  group = "default";

  const state = JSON.stringify(await stack.exportState());
  expect(state).not.toContain(here.api.apiToken);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({});
});
