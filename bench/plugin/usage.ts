import { appendFileSync, readFileSync } from "node:fs";

/** What one process of a plugin has used from its start to its end. */
export interface Usage {
  /** Processor time, user and system. */
  readonly seconds: number;
  readonly peakMegabytes: number;
}

/** The environment variable with the file that gets a line of JSON for each process. */
export const USAGE_FILE = "BENCH_USAGE_FILE";

function record(): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage: Usage = {
    seconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMegabytes: (peakKilobytes() ?? maxRSS) / 1024,
  };
  appendFileSync(process.env[USAGE_FILE] ?? "", `${JSON.stringify(usage)}\n`);
}

/** Linux hands the peak of the parent, the engine, on to the child as its `maxRSS`. */
function peakKilobytes(): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes);
  } catch {
    return undefined;
  }
}

/** The engine ends a plugin with SIGINT. One that has something to do then is recorded when it has done it. */
function interrupted(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 0) return;
  record();
  process.kill(process.pid, signal);
}

if (process.env[USAGE_FILE]) {
  process.once("exit", record);
  process.prependOnceListener("SIGINT", interrupted);
}
