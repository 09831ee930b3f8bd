import { constants } from "node:os";
import { ensurePulumiCli } from "./ensure";

const interrupt = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => {
    process.exitCode = 128 + constants.signals[name];
    interrupt.abort(new Error(`stopped by ${name}`));
  });
}

ensurePulumiCli({ signal: interrupt.signal }).then(
  ({ bin }) => console.log(bin),
  (failure: Error) => {
    console.error(failure.message);
    process.exitCode ??= 1;
  },
);
