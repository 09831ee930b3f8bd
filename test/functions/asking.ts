import type { Context } from "../../kit/lifecycle/context";
import type { Properties } from "../../kit/lifecycle/properties";
import { invoke } from "../../kit/steps/invoke";
import { functions } from "../../provider/functions/list";

export async function ask(name: string, args: Properties, context: Context): Promise<Record<string, unknown>> {
  const { result, failures } = await invoke(functionNamed(name), args, context);
  if (!result) throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("; "));
  return result;
}

export async function failuresOf(name: string, args: Properties, context: Context): Promise<string[]> {
  const { failures } = await invoke(functionNamed(name), args, context);
  return failures.map(({ property, reason }) => `${property}: ${reason}`);
}

function functionNamed(name: string) {
  const found = functions.find((definition) => definition.name === name);
  if (!found) throw new Error(`there is no function ${name}`);
  return found;
}
