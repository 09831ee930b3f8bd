import { appendFileSync, readFileSync } from "node:fs";

export interface Usage {
  /** User and system CPU time, in seconds. */
  readonly seconds: number;
  readonly peakMegabytes: number;
}

/** Environment variable with the path of the file to which each process appends its usage as a line of JSON. */
export const USAGE_FILE = "BENCH_USAGE_FILE";

function record(): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage: Usage = {
    seconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMegabytes: (peakKilobytes() ?? maxRSS) / 1024,
  };
  appendFileSync(process.env[USAGE_FILE] ?? "", `${JSON.stringify(usage)}\n`);
}

/** Returns the peak memory from `/proc`, because on Linux `maxRSS` also includes the peak of the parent process. */
function peakKilobytes(): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes);
  } catch {
    return undefined;
  }
}

/**
 * Records the usage when the engine ends the plugin with SIGINT. If the plugin handles SIGINT itself, its usage is
 * recorded when it exits.
 */
function interrupted(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 0) return;
  record();
  process.kill(process.pid, signal);
}

if (process.env[USAGE_FILE]) {
  process.once("exit", record);
  process.prependOnceListener("SIGINT", interrupted);
}
