import { Instance } from "../../kit/instance";
import type { Context } from "../../kit/lifecycle/context";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { isRefusal, messageOf } from "../../kit/refusal";
import { impatient } from "../lifecycle/impatient";
import type { Program } from "./declared-program";
import type { DeclaredStack, StackOptions } from "./declared-stack";
import { EngineRun, type EngineRunOptions, type Entry, type Played, Refused } from "./engine-run";

type Options = Partial<Pick<EngineRunOptions, "readsFirst" | "trace">>;

type UpOptions = Partial<Pick<EngineRunOptions, "readsFirst" | "continuesOnError">> & {
  /** Ends the run at once when it is fulfilled. The stack loses the results of unfinished operations. */
  readonly killed?: Promise<unknown> | undefined;
};

/**
 * A stack on a simulated engine. Each run starts from the state of the previous run, and stops at the first resource
 * that fails.
 */
export class FakeEngine {
  #state: readonly Entry[] = [];
  #seeds = 0;
  #last: EngineRun | undefined;
  readonly #provider: Played;
  readonly #options: Options;

  constructor(provider: Played, options: Options = {}) {
    this.#provider = provider;
    this.#options = options;
  }

  /** Returns another stack in the same state. */
  copy(): FakeEngine {
    const copy = new FakeEngine(this.#provider, this.#options);
    copy.#state = this.#state;
    copy.#seeds = this.#seeds;
    return copy;
  }

  get held(): readonly Entry[] {
    return this.#state;
  }

  get managed(): ReadonlyMap<string, Entry> {
    return new Map(this.#state.filter(({ waiting }) => !waiting).map((entry) => [entry.slot, entry]));
  }

  /** The last run. Its state is that of the stack or, after a preview, the expected state. */
  get last(): EngineRun | undefined {
    return this.#last;
  }

  /** Runs an update and returns the number of changes. */
  async up(program: Program, context: Context, { killed, ...options }: UpOptions = {}): Promise<number> {
    const run = this.#open(program, { context, preview: false, ...options });
    try {
      await Promise.race([run.run(), ...(killed ? [killed] : [])]);
    } finally {
      this.#state = run.state;
    }
    return run.changes.length;
  }

  async preview(program: Program, context: Context): Promise<number> {
    const run = this.#open(program, { context, preview: true });
    await run.run();
    return run.changes.length;
  }

  /** Removes a resource from the stack without deleting it, as `pulumi state delete` does. */
  forget(slot: string): void {
    this.#state = this.#state.filter((entry) => entry.slot !== slot);
  }

  #open(
    program: Program,
    { context, ...options }: Pick<EngineRunOptions, "preview"> & Omit<UpOptions, "killed"> & { context: Context },
  ): EngineRun {
    const contextOf = (urn: string): Context => ({ ...context, platform: { ...context.platform, urn } });
    this.#last = new EngineRun({
      provider: this.#provider,
      state: this.#state,
      program,
      contextOf,
      readsFirst: true,
      continuesOnError: false,
      seed: () => `${this.#seeds++}`,
      ...this.#options,
      ...options,
    });
    return this.#last;
  }
}

/** Shorter than the default, to keep runs with retries fast. */
const FIRST_WAIT_MS = 1;

/** Opens a stack on the fake engine. Each run is a new process of the provider. */
export function fakeStack({ api, baseUrl = api.url, settings = {} }: StackOptions): DeclaredStack {
  const provider = impatient({ firstWaitMs: FIRST_WAIT_MS });
  const readsByDefault = settings.driftDetection !== "on-refresh";
  const stack = new FakeEngine(provider, { readsFirst: readsByDefault });
  let { apiToken } = api;
  return {
    isReal: false,
    async run(program, { preview, killed, cancelled, readsFirst = readsByDefault, continuesOnError = false }) {
      const { organization } = api;
      const instance = new Instance(provider, { baseUrl, organization, apiToken, ...settings }, {});
      const said: string[] = [];
      const signal = cancelled ?? killed ?? new AbortController().signal;
      const context = instance.context({ urn: "", signal, log: (_, message) => said.push(message) });
      if (instance.readsBeforeUpdate) instance.run.readsFirst = true;
      const ends = killed && new Promise((_, reject) => killed.addEventListener("abort", () => reject(new Killed())));
      try {
        await (preview
          ? stack.preview(program, context)
          : stack.up(program, context, { killed: ends, readsFirst, continuesOnError }));
        const planned = new Map((stack.last?.state ?? []).map(({ slot, outputs }) => [slot, outputs]));
        return { changes: stack.last?.changes ?? [], said, ...(preview ? { planned } : {}) };
      } catch (thrown) {
        const isExpected = [Refused, InitFailedError, Killed].some((expected) => thrown instanceof expected);
        if (!isRefusal(thrown) && !isExpected) throw thrown;
        const { changes = [], errors = [] } = stack.last ?? {};
        const failures = new Set([...errors, thrown]);
        return { changes, said, failure: [...failures].map(messageOf).join("\n") };
      } finally {
        await instance.close();
      }
    },
    managed: async () =>
      new Map(
        [...stack.managed].map(
          ([
            slot,
            {
              declared: { type },
              ...entry
            },
          ]) => [slot, { type, ...entry }],
        ),
      ),
    forget: async (slot) => stack.forget(slot),
    useToken(token) {
      apiToken = token;
    },
    close: async () => {},
  };
}

class Killed extends Error {
  override readonly message = "the process was killed";
}
