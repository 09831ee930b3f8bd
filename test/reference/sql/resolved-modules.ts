import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

/** Records the address of each module that this process loads, in the file that `RESOLVED_MODULES` names. */
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    appendFileSync(process.env.RESOLVED_MODULES ?? "", `${resolved.url}\n`);
    return resolved;
  },
});
