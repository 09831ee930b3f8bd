import { type ChildProcess, execFile } from "node:child_process";
import { join } from "node:path";
import { Instance } from "../../kit/instance";
import { messageOf } from "../../kit/refusal";
import type { ReferenceApi } from "../../platform/reference/server";
import type { Platform } from "../../provider/platform";
import { planAndRestore, type RestoreOptions } from "../../provider/restore/restore";
import { root } from "../../tools/run";
import { impatient } from "../lifecycle/impatient";

interface Named {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly deletedAt: string;
  readonly deletedBy?: string;
  readonly newName?: string;
  readonly restored?: boolean;
  readonly restoredWith?: string;
  readonly failure?: string;
  readonly reason?: string;
}

export interface RestoreResult {
  /** Absent if the command failed. */
  readonly code?: number;
  readonly out: string;
  readonly error: string;
  readonly failure?: string;
  readonly json?: {
    readonly since: string;
    readonly until: string;
    readonly restores: readonly Named[];
    readonly refused: readonly Named[];
    readonly groupsWhoseTokensAreLost: readonly string[];
  };
}

/**
 * Runs the command in this process.
 *
 * @param baseUrl Address of a proxy in front of the platform.
 */
export async function restoring(
  api: Pick<ReferenceApi, "url" | "organization" | "organizationId" | "apiToken">,
  options: RestoreOptions,
  baseUrl = api.url,
  { isTerminal = false, apiToken = api.apiToken, signal = new AbortController().signal } = {},
): Promise<RestoreResult> {
  const { organization, organizationId } = api;
  const instance = new Instance<Platform>(
    impatient({ firstWaitMs: 1 }),
    { baseUrl, organization, apiToken, organizationId },
    {},
  );
  let [out, error] = ["", ""];
  try {
    const code = await planAndRestore(options, undefined, {
      context: instance.context({ urn: "", signal }).platform,
      signal,
      out: (text) => {
        out += text;
      },
      error: (text) => {
        error += text;
      },
      isTerminal,
    });
    return { code, out, error, ...(options.json && { json: JSON.parse(out) }) };
  } catch (failure) {
    return { out, error, failure: messageOf(failure) };
  } finally {
    await instance.close();
  }
}

export interface ProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `dbplatform restore` in its own process, as users do. */
export function restoreCommand(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...environment };
    const command = [join(root, "dist/dbplatform.js"), "restore", ...args];
    const child = execFile(process.execPath, command, { env }, (failure, stdout, stderr) =>
      resolve({ code: Number(failure?.code ?? 0), stdout, stderr }),
    );
    onStart(child);
  });
}
