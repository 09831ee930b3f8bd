import { type ChildProcess, execFile } from "node:child_process";
import { join } from "node:path";
import { root } from "../tools/run";

interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandOptions {
  readonly cwd?: string;
  /** Standard input. */
  readonly input?: string;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Returns a function that runs a part of the command `dbplatform` in its own process, as users do. */
export const dbplatform =
  (part: "adopt" | "restore") =>
  (
    environment: Readonly<Record<string, string>>,
    args: readonly string[],
    { cwd, input = "", onStart }: CommandOptions = {},
  ): Promise<CommandResult> =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, ...environment };
      const command = [join(root, "dist/dbplatform.js"), part, ...args];
      const child = execFile(process.execPath, command, { env, cwd }, (failure, stdout, stderr) =>
        resolve({ code: Number(failure?.code ?? 0), stdout, stderr }),
      );
      child.stdin?.end(input);
      onStart?.(child);
    });
