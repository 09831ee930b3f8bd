import { expect, test } from "vitest";
import { clientOf, engineFixture } from "../engine-fixture";

test("runs the quick start as written: creates, detects drift with exit code 7, restores and destroys", async () => {
  const here = await engineFixture();
  const stack = await here.stack("quickstart");
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  const { dbId, hostname, pipelineToken } = (await stack.outputs()) as Record<string, string>;
  expect(Object.values(await here.databases())).toEqual([dbId]);
  expect(hostname).toMatch(/^orders-[0-9a-f]{7}-acme\./);
  const pipeline = clientOf(here.api, String(pipelineToken));
  await pipeline.createDatabase({
    organizationSlug: here.api.organization,
    body: { name: "beside", group: "default" },
  });

  expect(await stack.cli("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  await here.delete(String(dbId));
  expect(await stack.cli("preview", "--expect-no-changes")).toMatchObject({ code: 7 });
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(Object.values(await here.databases())).toContain(dbId);
  expect(await stack.cli("destroy", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(Object.keys(await here.databases())).toEqual(["beside"]);
});
