import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startReferenceApi } from "../../../platform/reference/server";
import { API_COMMAND } from "../../../provider/command/main";

const root = join(__dirname, "../../..");
const HOOK = "./test/reference/sql/resolved-modules.ts";

/** Returns the modules of this project that `dbplatform api serve` loads before it is ready. */
async function loadedBy(...options: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "modules-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "resolved");
  const script = `require("./platform/reference/command/run.ts").runCommand(${JSON.stringify(API_COMMAND)})`;
  const command = ["--import", "tsx", "--import", HOOK, "--eval", script, "api", "serve", "--json", ...options];
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, RESOLVED_MODULES: file },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill();
  await once(child, "exit");
  const resolved = new Set((await readFile(file, "utf8")).split("\n"));
  return [...resolved].flatMap((url) => url.split("/platform/reference/")[1] ?? []);
}

test("loads the SQL server only with `--sql`", { tags: "more" }, async () => {
  const [plain, withSql] = await Promise.all([loadedBy(), loadedBy("--sql")]);
  expect(plain).toContain("server.ts");
  expect(plain.filter((path) => path.startsWith("sql/"))).toEqual([]);
  expect(withSql).toEqual(expect.arrayContaining(["sql/server.ts", "sql/pool/process.ts"]));
});

test.runIf(process.platform === "linux")("starts the process for statements before the first of them", async () => {
  const children = async (): Promise<string[]> =>
    (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")).split(" ").filter(Boolean);
  const before = await children();
  const api = await startReferenceApi({ sql: true });
  onTestFinished(() => api.close());
  // Processes of the worker's other files may end meanwhile.
  expect((await children()).filter((child) => !before.includes(child))).toHaveLength(1);
});
