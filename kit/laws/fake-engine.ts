import type { Context } from "../lifecycle/context";
import type { Program } from "./declared-program";
import { EngineRun, type EngineRunOptions, type Entry, type Played } from "./engine-run";

type Options = Partial<Pick<EngineRunOptions, "readsFirst" | "trace">>;

/**
 * A stack on a simulated engine. Each run starts from the state of the previous run, and stops at the first resource
 * that fails.
 */
export class FakeEngine {
  #state: readonly Entry[] = [];
  #seeds = 0;
  readonly #provider: Played;
  readonly #options: Options;

  constructor(provider: Played, options: Options = {}) {
    this.#provider = provider;
    this.#options = options;
  }

  get held(): readonly Entry[] {
    return this.#state;
  }

  get managed(): ReadonlyMap<string, Entry> {
    return new Map(this.#state.filter(({ waiting }) => !waiting).map((entry) => [entry.slot, entry]));
  }

  /** Runs an update and returns the number of changes. */
  async up(program: Program, context: Context): Promise<number> {
    const run = this.#open(program, { context, preview: false });
    try {
      await run.run();
    } finally {
      this.#state = run.state;
    }
    return run.steps;
  }

  async preview(program: Program, context: Context): Promise<number> {
    const run = this.#open(program, { context, preview: true });
    await run.run();
    return run.steps;
  }

  #open(program: Program, { context, preview }: { context: Context; preview: boolean }): EngineRun {
    const contextOf = (urn: string): Context => ({ ...context, platform: { ...context.platform, urn } });
    return new EngineRun({
      provider: this.#provider,
      state: this.#state,
      program,
      preview,
      contextOf,
      readsFirst: true,
      seed: () => `${this.#seeds++}`,
      ...this.#options,
    });
  }
}
