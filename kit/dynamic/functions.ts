import { functions as definitions } from "../../provider/functions/list";
import type { Properties } from "../lifecycle/properties";
import { Refusal } from "../refusal";
import { invoke } from "../steps/invoke";
import { instanceOf } from "./instances";
import { invalidArguments } from "./messages";

/**
 * The provider's functions by name. A function runs in the process of the Pulumi program. `settings` holds provider
 * settings, which take precedence over environment variables.
 */
export const functions: Readonly<Record<string, (args: Properties, settings: Properties) => Promise<Properties>>> =
  Object.fromEntries(
    definitions.map((definition) => [
      definition.name,
      async (args: Properties, settings: Properties) => {
        const call = { urn: "", signal: new AbortController().signal };
        const { result, failures } = await invoke(definition, args, instanceOf(settings).context(call));
        if (result) return result;
        const problems = failures.map(({ property, reason }) => `${property}: ${reason}`);
        throw new Refusal("invalid", { answer: invalidArguments(definition.name, problems) });
      },
    ]),
  );
