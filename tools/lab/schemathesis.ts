import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SEED } from "../../platform/reference/openapi/example-world";
import { startReferenceApi } from "../../platform/reference/server";

const VERSION = "4.32.5";

/** Schemathesis checks to skip, each with the reason. */
const NOT_MEANT: Readonly<Record<string, string>> = {
  unsupported_method: "A path that is known under another method is answered like an unknown one: 404 (wire-facts 0).",
  positive_data_acceptance: "Rules over several fields, such as a group without scopes, are no part of a schema.",
};

/** Operations that run last, because they revoke the token or delete the organization that other operations need. */
const LAST = "^(invalidateApiTokens|revokeOwnApiToken.*|revokeApiToken|deleteOrganization)$";

/**
 * Tests every operation in the OpenAPI document with schemathesis, which is installed from PyPI into a temporary
 * environment.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-schemathesis-"));
  const run = async (program: string, args: readonly string[]): Promise<number> => {
    const [code] = await once(spawn(program, args, { cwd: folder, stdio: "inherit" }), "exit");
    return code ?? 1;
  };
  try {
    if ((await run("python3", ["-m", "venv", "."])) !== 0) throw new Error("Python 3 with venv is needed");
    const installed = await run("bin/pip", ["install", "--quiet", `schemathesis==${VERSION}`]);
    if (installed !== 0) throw new Error("schemathesis could not be installed");
    for (const selection of ["--exclude-operation-id-regex", "--include-operation-id-regex"])
      if ((await ask(run, [selection, LAST])) !== 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(run: (program: string, args: readonly string[]) => Promise<number>, selection: readonly string[]) {
  const api = await startReferenceApi({ seed: SEED });
  try {
    const credential = await api.token({ organization: null });
    return await run("bin/schemathesis", [
      "run",
      `${api.url}/openapi.json`,
      ...["--header", `Authorization: Bearer ${credential}`],
      ...["--checks", "all", "--exclude-checks", Object.keys(NOT_MEANT).join()],
      ...["--phases", "examples,coverage,fuzzing", "--max-examples", "50", "--continue-on-failure", "--no-color"],
      ...selection,
      ...process.argv.slice(2),
    ]);
  } finally {
    await api.close();
  }
}

main().catch((failure) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exitCode = 1;
});
