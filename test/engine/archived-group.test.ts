import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import type { OpenReferenceApi } from "../../platform/reference/server";
import { groupUnarchived } from "../../provider/resources/group/messages";
import { archive } from "../lifecycle/archive";
import { engineFixture } from "./engine-fixture";

test("unarchives an archived group, as previewed, unless `ignoreChanges` contains `archived`", async () => {
  const here = await engineFixture();
  const ignoreChanges: string[] = [];
  const stack = await here.stack(async () => {
    const { id, archived } = new dbplatform.Group(
      "tenants",
      { name: "tenants", location: "aws-us-east-1" },
      { ignoreChanges },
    );
    return { id, archived };
  });
  await stack.deploy();
  const { id, archived } = (await stack.outputs()) as { id: string; archived: boolean };
  expect(archived).toBe(false);
  await archive(here.api as OpenReferenceApi, id);
  here.writes();

  ignoreChanges.push("archived");
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  ignoreChanges.pop();
  const preview = await stack.preview({ expectNoChanges: true, diff: true });
  expect(preview.code).toBe(7);
  expect(preview.output).toMatch(/- archived: true/);
  expect(preview.output).toContain(groupUnarchived({ name: "tenants", id }));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual(["unarchiveGroup"]);
  expect(await stack.outputs()).toEqual({ id, archived: false });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
