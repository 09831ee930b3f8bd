import { expect, test } from "vitest";
import { PRESETS, SCOPES, scopeProblem } from "../../platform/values/scope";
import { allowedScopes } from "../../provider/scopes/command";
import {
  enoughScopes,
  failedPreview,
  groupToken,
  NOTHING_NEEDED,
  ofProvider,
  organizationToken,
  severalGroups,
} from "../../provider/scopes/messages";
import { creation, inDefault, live, provider, report, step } from "./previews";

const DEPLOY = allowedScopes("read,db:create,db:configure");
const created = creation("Database", "orders", inDefault);
const removed = step("delete", "Database", "old", { oldState: live });

test("ends with 0 if the scopes are enough, and says so", async () => {
  expect(await report({ steps: [created] }, { allow: DEPLOY })).toEqual({
    output: `${enoughScopes({ scopes: DEPLOY, isEnough: true })}\n`,
    exitCode: 0,
  });
});

test("ends with 0 if the preview contains no objects of the platform", async () => {
  const { output, exitCode } = await report({ steps: [step("create", "Bucket", "b")] }, { allow: DEPLOY });
  expect([output, exitCode]).toEqual([`${NOTHING_NEEDED}\n`, 0]);
});

test("ends with 7 if the run needs another scope, and names the resource, the scope and the step", async () => {
  const replaced = step("replace", "Database", "users", { oldState: live, newState: { inputs: inDefault } });
  const { output, exitCode } = await report({ steps: [created, removed, replaced] }, { allow: DEPLOY });
  expect(exitCode).toBe(7);
  expect(output.split("\n")).toEqual([
    enoughScopes({ scopes: DEPLOY, isEnough: false }),
    "",
    "RESOURCE        ALSO NEEDS  TO",
    "Database old    db:delete   delete",
    "Database users  db:delete   delete",
    "",
    groupToken({ group: "default", scopes: ["read", "db:create", "db:delete"] }),
    "",
  ]);
});

test("ends with 7 if no group-scoped token is enough, whatever its scopes", async () => {
  const steps = [creation("Group", "shop", { name: "shop", locations: ["a"] })];
  const { output, exitCode } = await report({ steps }, { allow: SCOPES });
  expect(exitCode).toBe(7);
  expect(output).toMatch(/^Group shop +organization-level +create$/m);
  expect(output).toContain(organizationToken({ role: "member", reasons: [] }).split(", because")[0]);
});

test("ends with 7 if the run works in several groups", async () => {
  const steps = [created, creation("Database", "users", { group: "shared" })];
  const { output, exitCode } = await report({ steps }, { allow: SCOPES });
  expect(exitCode).toBe(7);
  expect(output).toContain(severalGroups({ groups: ["default", "shared"] }));
});

test("checks each provider of the program, and shows those that need more", async () => {
  const steps = [created, { ...removed, provider: provider("eu") }];
  const { output, exitCode } = await report({ steps }, { allow: DEPLOY });
  expect(exitCode).toBe(7);
  expect(output).toContain(ofProvider({ providerName: "eu" }));
  expect(output).not.toContain(ofProvider({ providerName: "default" }));
});

test("prints the result as JSON for programs", async () => {
  const { output, exitCode } = await report({ steps: [created, removed] }, { allow: DEPLOY, json: true });
  expect(exitCode).toBe(7);
  expect(JSON.parse(output)).toMatchObject({
    allowed: DEPLOY,
    isEnough: false,
    excess: [
      {
        provider: "default",
        isInSeveralGroups: false,
        resources: [{ type: "Database", name: "old", urn: removed.urn, scope: "db:delete", steps: ["delete"] }],
      },
    ],
    credentials: [{ scopes: ["read", "db:create", "db:delete"] }],
  });
  expect(JSON.parse((await report({ steps: [created] }, { allow: DEPLOY, json: true })).output)).toMatchObject({
    isEnough: true,
    excess: [],
  });
});

test("rejects the preview of a program that failed, which lacks steps", async () => {
  const [, reason = ""] = failedPreview({ file: "|" }).split("|");
  const failed = { steps: [created], diagnostics: [{ severity: "error" }] };
  await expect(report(failed, { allow: DEPLOY })).rejects.toThrow(reason);
});

test("accepts scopes and presets between commas, and rejects others", () => {
  expect(allowedScopes("db:create, read-only")).toEqual(["read", "db:create"]);
  expect(allowedScopes("full-access")).toEqual(PRESETS["full-access"]);
  for (const text of ["raed", "read,", ""])
    expect(() => allowedScopes(text)).toThrow(scopeProblem(text === "raed" ? "raed" : ""));
});
