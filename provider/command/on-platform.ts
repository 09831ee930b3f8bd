import { Instance } from "../../kit/instance";
import type { Context } from "../../kit/lifecycle/context";
import type { Platform } from "../platform";
import { dbplatform } from "../provider";
import { printError } from "./output";

/** Does work on the platform with the settings from the environment. Warnings go to standard error. */
export async function onPlatform<Result>(
  signal: AbortSignal,
  work: (context: Context<Platform>) => Promise<Result>,
): Promise<Result> {
  const instance = new Instance(dbplatform, {}, process.env);
  try {
    if (instance.warning) printError(instance.warning);
    return await work(instance.context({ urn: "", signal, log: (_, message) => printError(message) }));
  } finally {
    await instance.close();
  }
}
