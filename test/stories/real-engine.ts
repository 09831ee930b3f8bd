import { dbplatform } from "../../provider/provider";
import type { EngineFixture } from "../engine/engine-fixture";
import { realEngine } from "../laws/real-engine";
import type { OpenedStack, StackSettings } from "./stack";

/** Opens a stack on the real engine. */
export async function onRealEngine({ environment }: EngineFixture, settings: StackSettings): Promise<OpenedStack> {
  const config = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`dbplatform:${name}`, value]));
  const engine = await realEngine(dbplatform.name, environment, config);
  return {
    stack: {
      isReal: true,
      run: engine.run,
      managed: engine.managed,
      revealed: engine.revealed,
      useToken: (apiToken) => engine.setEnvironment({ DBPLATFORM_API_TOKEN: apiToken }),
    },
    close: engine.close,
  };
}
