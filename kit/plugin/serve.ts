import { flushCompileCache } from "node:module";
import { Engine } from "./engine";
import { invalidEngineAddress } from "./messages";
import { listen, type Methods } from "./transport/server";

/**
 * Writes the compile cache while the process runs. Node.js would write the cache on exit, but the engine does not wait
 * for the exit (decision 85).
 */
const keepCompiled = () => setImmediate(flushCompileCache);

let loaded: Promise<Methods> | undefined;
const methods = (): Promise<Methods> => (loaded ??= load());

async function load(): Promise<Methods> {
  // The engine passes its address as the last argument, after optional flags for logging and tracing.
  const address = process.argv.slice(2).at(-1);
  if (address !== undefined && !/^.+:\d+$/.test(address)) {
    process.stderr.write(`${invalidEngineAddress(address)}\n`);
    process.exit(1);
  }
  const engine = address ? new Engine(address) : undefined;
  engine?.ended.then(() => process.exit(0));
  const { service } = await import("./service.js");
  keepCompiled();
  return service({ engine, environment: process.env });
}

// Without an export in this file, esbuild would keep unused code in the bundle (decision 87).
export const listening = listen(methods).then(({ port }) => {
  // The engine reads the port from the first line of standard output and ignores all other lines.
  process.stdout.write(`${port}\n`);
  keepCompiled();
  // The service is loaded while the engine connects, to save time (decision 84).
  setImmediate(methods);
});
