import type { Context } from "../../provider/lifecycle/context";
import type { Program } from "./declared-program";
import { EngineRun, type Entry } from "./engine-run";

/** A stack, and what the engine does with it: run after run on one state. Each ends with its first failure. */
export class FakeEngine {
  #state: readonly Entry[] = [];
  #seeds = 0;

  /** Everything that is in state: also what is only waiting for its deletion. */
  get held(): readonly Entry[] {
    return this.#state;
  }

  /** By logical name. */
  get managed(): ReadonlyMap<string, Entry> {
    return new Map(this.#state.filter(({ waiting }) => !waiting).map((entry) => [entry.slot, entry]));
  }

  /** How many changes there were. */
  async up(program: Program, context: Context): Promise<number> {
    const run = this.#open(program, { context, preview: false });
    try {
      await run.run();
    } finally {
      this.#state = run.state;
    }
    return run.steps;
  }

  /** How many changes there would be. */
  async preview(program: Program, context: Context): Promise<number> {
    const run = this.#open(program, { context, preview: true });
    await run.run();
    return run.steps;
  }

  #open(program: Program, { context, preview }: { context: Context; preview: boolean }): EngineRun {
    const contextOf = (urn: string): Context => ({ ...context, platform: { ...context.platform, urn } });
    return new EngineRun({ state: this.#state, program, preview, contextOf, seed: () => `${this.#seeds++}` });
  }
}
