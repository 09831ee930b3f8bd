import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Run } from "./measured-stack";
import type { Command, Declared, StackReply, StackRequest } from "./program-process";

/**
 * A stack whose program runs in a process of its own. `@pulumi/pulumi` keeps the resources of every program that has run
 * in a process: after a hundred runs of 1,000 resources, a process had 3.4 GB, and took half a core while others were
 * measured.
 */
export class StackProcess {
  readonly #child: ChildProcess;
  readonly #kill = () => this.#child.kill();

  private constructor() {
    this.#child = fork(join(__dirname, "program-process.ts"));
    process.once("exit", this.#kill);
  }

  static async create(declared: Declared): Promise<StackProcess> {
    const stack = new StackProcess();
    await stack.#ask({ create: declared });
    return stack;
  }

  /** @throws Error if the command fails. */
  async run(command: Command): Promise<Run> {
    const { run } = await this.#ask({ command });
    if (!run) throw new Error(`${command} was not measured`);
    return run;
  }

  async remove(): Promise<void> {
    const end = once(this.#child, "exit");
    this.#child.send("remove" satisfies StackRequest);
    await end;
    process.off("exit", this.#kill);
  }

  async #ask(request: StackRequest): Promise<{ readonly run?: Run }> {
    const replied = once(this.#child, "message");
    const ended = once(this.#child, "exit").then(([code]) => [{ failure: `the program's process ended with ${code}` }]);
    this.#child.send(request);
    const [reply] = (await Promise.race([replied, ended])) as [StackReply];
    if ("failure" in reply) throw new Error(reply.failure);
    return reply;
  }
}
