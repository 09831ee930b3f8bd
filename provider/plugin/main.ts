import { flushCompileCache } from "node:module";
import { Engine } from "./engine";
import { listen, type Methods } from "./transport/server";

/** Left to Node.js, it would be written at the end of the process, which the engine does not wait for (decision 85). */
const keepCompiled = () => setImmediate(flushCompileCache);

let loaded: Promise<Methods> | undefined;
const methods = (): Promise<Methods> => (loaded ??= load());

async function load(): Promise<Methods> {
  // After flags for logging and tracing, if there are any.
  const address = process.argv.slice(2).at(-1);
  const engine = address ? new Engine(address) : undefined;
  engine?.ended.then(() => process.exit(0));
  const { service } = await import("./service.js");
  keepCompiled();
  return service({ engine, environment: process.env });
}

// Without an export, esbuild takes this for CommonJS and leaves nothing out (decision 87).
export const listening = listen(methods).then(({ port }) => {
  // The engine reads the port from the first line, and nothing else from standard output.
  process.stdout.write(`${port}\n`);
  keepCompiled();
  // The rest loads while the engine connects (decision 84).
  setImmediate(methods);
});
