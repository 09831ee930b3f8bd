import { onTestFinished } from "vitest";
import { Instance } from "../../kit/instance";
import type { Call } from "../../kit/lifecycle/call";
import type { Context } from "../../kit/lifecycle/context";
import type { Properties } from "../../kit/lifecycle/properties";
import { type OpenReferenceApi, type ReferenceApiOptions, startReferenceApi } from "../../platform/reference/server";
import type { Platform } from "../../provider/platform";
import { operationsOf } from "../engine/journal";
import { SEED } from "../engine/seed";
import { impatient } from "./impatient";

/** A configured provider without an engine, connected to a platform over a socket. */
export interface LifecycleFixture {
  readonly api: OpenReferenceApi;
  readonly context: Context<Platform>;
  readonly said: string[];
  /** Returns all operations that were requested since the last call. */
  takeOperations(): string[];
  /** Returns the context of a new provider process, optionally with other settings. */
  newProcess(call?: Partial<Call>, settings?: Properties): Context<Platform>;
}

/**
 * Shorter than the default, to keep tests with retries fast. The provider still retries as often as usual, and still
 * waits as long as the platform asks.
 */
const FIRST_WAIT_MS = 1;

export async function lifecycleFixture(
  { settings = {}, call = {} }: { settings?: Properties; call?: Partial<Call> } = {},
  options: ReferenceApiOptions = {},
): Promise<LifecycleFixture> {
  const api = await startReferenceApi({ seed: SEED, ...options });
  const said: string[] = [];
  const open = (more: Partial<Call>, others: Properties = {}): Context<Platform> => {
    const given = { baseUrl: api.url, organization: api.organization, apiToken: api.apiToken, ...settings, ...others };
    const instance = new Instance(impatient({ firstWaitMs: FIRST_WAIT_MS }), given, {});
    onTestFinished(() => instance.close());
    const signal = new AbortController().signal;
    return instance.context({ urn: "urn", signal, log: (_, message) => said.push(message), ...more });
  };
  onTestFinished(() => api.close());
  return {
    api,
    said,
    context: open(call),
    takeOperations: operationsOf(api),
    newProcess: (more = {}, others = {}) => open(more, others),
  };
}
