import type { Plugins } from "../plugin/plugins";
import { MeasuredPlatform } from "./measured-platform";
import { MeasuredStack } from "./measured-stack";
import { configuredDatabases } from "./programs";

/** Creates a database and its configuration with our plugin, and returns their outputs by type, as JSON. */
export async function recordedOutputs({
  folder,
  bin,
  plugins,
}: {
  readonly folder: string;
  readonly bin: string;
  readonly plugins: Plugins;
}): Promise<string> {
  const platform = await MeasuredPlatform.start();
  const stack = await MeasuredStack.create({
    folder,
    bin,
    program: configuredDatabases(1),
    plugin: plugins.ours,
    environment: platform.environment,
    checkpoints: false,
  });
  try {
    await stack.up();
    const { deployment } = await stack.state();
    const resources: { readonly type: string; readonly outputs?: object }[] = deployment.resources;
    return JSON.stringify(Object.fromEntries(resources.map(({ type, outputs = {} }) => [type, outputs])));
  } finally {
    stack.remove();
    await platform.end();
  }
}
