import type { AnyFunction } from "../function";
import type { Properties } from "../lifecycle/properties";
import { Refusal } from "../refusal";
import { invoke } from "../steps/invoke";
import type { Instances } from "./instances";
import { invalidArguments } from "./messages";

/** Returns a function that a program can call with arguments and provider settings. */
export const callable =
  (definition: AnyFunction, instances: Instances) =>
  async (args: Properties, settings: Properties): Promise<Properties> => {
    const call = { urn: "", signal: new AbortController().signal };
    const { result, failures } = await invoke(definition, args, instances.of(settings).context(call));
    if (result) return result;
    const problems = failures.map(({ property, reason }) => `${property}: ${reason}`);
    throw new Refusal("invalid", { answer: invalidArguments({ functionName: definition.name, reasons: problems }) });
  };
