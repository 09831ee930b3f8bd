import { Instance } from "../../kit/instance";
import { messageOf } from "../../kit/refusal";
import type { ReferenceApi } from "../../platform/reference/server";
import type { Platform } from "../../provider/platform";
import { planAndRestore, type RestoreOptions } from "../../provider/restore/restore";
import { dbplatform } from "../dbplatform";
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

export const restoreCommand = dbplatform("restore");
