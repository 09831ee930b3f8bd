import { flushCompileCache } from "node:module";
import type { Provider } from "../provider";
import { Engine } from "./engine";
import { invalidEngineAddress } from "./messages";
import { listenForCalls, type Methods } from "./transport/server";

/**
 * Writes the compile cache while the process runs. Node.js would write the cache on exit, but the engine does not wait
 * for the exit.
 */
const keepPluginCompiled = () => setImmediate(flushCompileCache);

async function loadService(provider: () => Promise<Provider>): Promise<Methods> {
  // The engine passes its address as the last argument, after optional flags for logging and tracing.
  const address = process.argv.slice(2).at(-1);
  if (address !== undefined && !/^.+:\d+$/.test(address)) {
    process.stderr.write(`${invalidEngineAddress({ address })}\n`);
    process.exit(1);
  }
  const engine = address ? new Engine(address) : undefined;
  engine?.ended.then(() => process.exit(0));
  const [{ service }, served] = await Promise.all([import("./service.js"), provider()]);
  keepPluginCompiled();
  return service(served, { engine, environment: process.env });
}

/**
 * Serves a provider to the engine that started this process. Listens before the provider is loaded, and loads it while
 * the engine connects, to save time.
 *
 * @param provider Loads the provider.
 */
export async function serve(provider: () => Promise<Provider>): Promise<void> {
  let loaded: Promise<Methods> | undefined;
  const methods = (): Promise<Methods> => (loaded ??= loadService(provider));
  const { port } = await listenForCalls(methods);
  // The engine reads the port from the first line of standard output and ignores all other lines.
  process.stdout.write(`${port}\n`);
  keepPluginCompiled();
  setImmediate(methods);
}
