// @module-tag more

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../../tools/run";
import { blocksOf } from "../../docs/blocks";
import { type EngineFixture, engineFixture } from "../engine-fixture";
import { connect, fill } from "../rows";

const codeOn = (page: string, containing: string): string => {
  const block = blocksOf(page).find(({ language, text }) => language === "typescript" && text.includes(containing));
  if (!block) throw new Error(`${page} shows no code with ${containing}`);
  return block.text;
};

/**
 * Returns a program with the code of a page, as a function, because the language host that can be built here knows no
 * hooks.
 *
 * @param folder The folder in which the program writes files.
 */
const programWith = (code: string, folder = "") => {
  const body = ts.transpile(code, { target: ts.ScriptTarget.ES2022 });
  const run = new Function("pulumi", "dbplatform", "writeFile", `return (async () => {\n${body}\n})();`);
  return () => run(pulumi, dbplatform, (name: string, text: string) => writeFile(join(folder, name), text));
};

const PROTECTED = "docs/deletion-safety.md";

/**
 * Two databases with the hook on the page, which reads from the reference API and writes to a folder. One has a row, and
 * the other stays, because Pulumi waits for the registration of a hook only if a resource uses it.
 */
async function databasesWithHook() {
  const here = await engineFixture({ sql: true });
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-hook-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const address = (here.api.sql ?? "").replace("{DbId}/", `\${database?.dbId}`);
  const code = codeOn(PROTECTED, "new pulumi.ResourceHook").replace(`\${database?.httpUrl}`, address);
  expect(code).toContain(address);
  const [hook = "", orders = ""] = code.split(/^(?=new )/m);
  const rest = hook + orders.replace("orders", "customers");
  const stack = await here.stack(programWith(rest + orders, folder));
  await stack.deploy();
  const databases = await here.databases();
  const name = String(Object.keys(databases).find((name) => name.startsWith("orders")));
  const { [name]: dbId = "", ...others } = databases;
  const organizationSlug = here.api.organization;
  const { jwt } = await here.outside.createDatabaseToken({ organizationSlug, databaseName: name });
  await fill(connect(here.api, dbId, jwt), "tea");
  return {
    here,
    jwt,
    name,
    dbId,
    others,
    dump: join(folder, `${name}.sql`),
    stack,
    removeDatabase() {
      stack.program = programWith(rest, folder);
    },
    moveDatabase() {
      stack.program = programWith(rest + orders.replace("default", "other"), folder);
    },
  };
}

/** Sets the token with which the hook reads. */
function useToken(token: string): void {
  process.env.GROUP_TOKEN = token;
  onTestFinished(() => {
    delete process.env.GROUP_TOKEN;
  });
}

test("the hook in docs/deletion-safety.md saves the rows before a database is deleted", async () => {
  const { here, stack, dump, removeDatabase, jwt, name, dbId, others } = await databasesWithHook();
  stack.program = programWith("");
  const unregistered = await stack.up();
  expect(unregistered.code).not.toBe(0);
  expect(unregistered.output).toContain('hook "save rows" was not registered');
  expect(readFileSync(join(root, PROTECTED), "utf8")).toContain('hook "save rows" was not registered');

  removeDatabase();
  useToken("not-a-token");
  expect(await stack.preview()).toMatchObject({ code: 0 });
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(`no dump of ${name}: HTTP 401`);
  const destroy = await stack.destroy();
  expect(destroy.code).not.toBe(0);
  expect(destroy.output).toContain("--run-program");
  expect(await here.databases()).toEqual({ [name]: dbId, ...others });
  expect(existsSync(dump)).toBe(false);

  useToken(jwt);
  const deleted = await stack.up();
  expect(deleted, deleted.output).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(others);
  expect(readFileSync(dump, "utf8")).toContain("tea");
});

test("the hook in docs/deletion-safety.md saves the rows before a database is replaced", async () => {
  const { here, stack, dump, moveDatabase, jwt, dbId } = await databasesWithHook();
  useToken(jwt);
  moveDatabase();
  const replaced = await stack.up();
  expect(replaced, replaced.output).toMatchObject({ code: 0 });
  expect(Object.values(await here.databases())).not.toContain(dbId);
  expect(readFileSync(dump, "utf8")).toContain("tea");
});

test("the hook in docs/deletion-safety.md lets go of a database that was deleted outside Pulumi", async () => {
  const { here, stack, dump, removeDatabase, jwt, dbId } = await databasesWithHook();
  useToken(jwt);
  await here.deleteDatabase(dbId);
  removeDatabase();
  const removed = await stack.up();
  expect(removed, removed.output).toMatchObject({ code: 0 });
  expect(existsSync(dump)).toBe(false);
});

const defaultGroups = async ({ api, outside }: EngineFixture) => {
  const { groups } = await outside.listGroups({ organizationSlug: api.organization });
  return groups.filter(({ name }) => name === "default").map(({ uuid }) => uuid);
};

const DEFAULT_GROUP = `${codeOn("docs/adopt.md", "async function defaultGroup")}\nreturn defaultGroup();`;

test("the program in docs/adopt.md imports the group `default`, and restores it if it was deleted", async () => {
  const here = await engineFixture();
  const [existing] = await defaultGroups(here);
  const stack = await here.stack(programWith(DEFAULT_GROUP));
  expect((await stack.preview()).output).toMatch(/Group default import/);
  await stack.deploy();
  expect(await defaultGroups(here)).toEqual([existing]);
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });

  await here.outside.deleteGroup({ organizationSlug: here.api.organization, groupName: "default" });
  await stack.deploy();
  expect(await defaultGroups(here)).toEqual([existing]);
});

test("the program in docs/adopt.md creates the group `default` where it does not exist", async () => {
  const here = await engineFixture();
  await here.outside.deleteGroup({ organizationSlug: here.api.organization, groupName: "default" });
  const stack = await here.stack(programWith(DEFAULT_GROUP));
  expect((await stack.preview()).output).toMatch(/Group default create/);
  await stack.deploy();
  expect(await defaultGroups(here)).toHaveLength(1);
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
