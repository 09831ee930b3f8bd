import { Instance } from "../../kit/instance";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { isRefusal, messageOf } from "../../kit/refusal";
import type { EngineFixture } from "../engine/engine-fixture";
import { Refused } from "../fake-engine/engine-run";
import { FakeEngine } from "../fake-engine/fake-engine";
import { impatient } from "../lifecycle/impatient";
import type { OpenedStack, StackSettings, StoryStack } from "./stack";

/** Shorter than the default, to keep stories with retries fast. */
const FIRST_WAIT_MS = 1;

/** Opens a stack on the fake engine. Each run is a new process of the provider. */
export async function onFakeEngine({ api }: EngineFixture, config: StackSettings): Promise<OpenedStack> {
  const provider = impatient({ firstWaitMs: FIRST_WAIT_MS });
  const readsFirst = config.driftDetection === undefined;
  const engine = new FakeEngine(provider, { readsFirst });
  let { apiToken } = api;
  const stack: StoryStack = {
    isReal: false,
    async run(program, { preview }) {
      const settings = { baseUrl: api.url, organization: api.organization, apiToken, ...config };
      const instance = new Instance(provider, settings, {});
      const said: string[] = [];
      const signal = new AbortController().signal;
      const context = instance.context({ urn: "", signal, log: (_, message) => said.push(message) });
      if (readsFirst) context.run.readsFirst = true;
      try {
        await (preview ? engine.preview(program, context) : engine.up(program, context));
        return { changes: engine.last?.changes ?? [], said };
      } catch (thrown) {
        if (!isRefusal(thrown) && !(thrown instanceof Refused) && !(thrown instanceof InitFailedError)) throw thrown;
        return { changes: engine.last?.changes ?? [], said, failure: messageOf(thrown) };
      } finally {
        await instance.close();
      }
    },
    managed: async () =>
      new Map(
        [...engine.managed].map(([slot, { declared, ...managed }]) => [slot, { type: declared.type, ...managed }]),
      ),
    revealed: async () => new Map([...engine.managed].map(([slot, { outputs }]) => [slot, outputs])),
    useToken(token) {
      apiToken = token;
    },
  };
  return { stack, close: async () => {} };
}
