import { Instance } from "../../kit/instance";
import type { Context } from "../../kit/lifecycle/context";
import type { Properties } from "../../kit/lifecycle/properties";
import { messageOf } from "../../kit/refusal";
import type { Run } from "../../kit/run";
import { dbplatform } from "../../provider/provider";
import type { Entry, Trace } from "../fake-engine/engine-run";
import { FakeEngine } from "../fake-engine/fake-engine";
import type { Driver, Outcome, StackResource } from "./driver";
import type { CredentialKind, SequenceFixture } from "./sequence-fixture";

/**
 * Returns a driver that runs programs on the fake engine, which is faster than the real engine. If a sequence fails,
 * check whether it also fails on the real engine.
 *
 * @param trace Called with each response of the lifecycle, each message and each event of the run, in order.
 * @param settings Settings of the provider besides its credential.
 * @param stack The stack to run the programs in. Default: a new one.
 */
export function fakeEngineDriver(
  stage: Pick<SequenceFixture, "environment">,
  trace?: Trace,
  settings: Properties = {},
  stack = newFakeEngine(trace, settings),
): Driver {
  async function run(credential: CredentialKind, work: (context: Context) => Promise<number>): Promise<Outcome> {
    const {
      DBPLATFORM_BASE_URL: baseUrl,
      DBPLATFORM_ORGANIZATION: organization,
      DBPLATFORM_API_TOKEN: apiToken,
      DBPLATFORM_ORGANIZATION_ID: organizationId,
    } = stage.environment(credential);
    const instance = new Instance(dbplatform, { baseUrl, organization, apiToken, organizationId, ...settings }, {});
    if (instance.readsBeforeUpdate) instance.run.readsFirst = true;
    if (trace) traceEvents(instance.run, trace);
    const signal = new AbortController().signal;
    const said: string[] = [];
    const log = (severity: string, message: string) => {
      said.push(message);
      void trace?.(`${severity}: ${message}`);
    };
    const output = (last: string) => [...said, last].join("\n");
    try {
      const steps = await work(instance.context({ urn: "", signal, log }));
      return { refusals: [], empty: steps === 0, output: output(`${steps} steps`) };
    } catch (thrown) {
      return { refusals: [messageOf(thrown)], empty: false, output: output(messageOf(thrown)) };
    } finally {
      await instance.close();
    }
  }

  return {
    up: (program, credential) => run(credential, (context) => stack.up(program, context)),
    preview: (program, credential) => run(credential, (context) => stack.preview(program, context)),
    managed: async () => new Map([...stack.managed].map(([slot, entry]) => [slot, managedOf(entry)])),
    tokens: async () => Object.fromEntries(stack.held.map(({ slot, outputs }) => [slot, outputs.token])),
    waiting: async () => stack.held.filter(({ waiting }) => waiting).length,
    close: async () => {},
  };
}

function traceEvents(run: Run, trace: Trace): void {
  const note = run.note.bind(run);
  run.note = (event) => {
    const facts = Object.entries(event).filter(([, value]) => ["string", "boolean"].includes(typeof value));
    void trace(`noted ${JSON.stringify(Object.fromEntries(facts))}`);
    note(event);
  };
}

export const newFakeEngine = (trace?: Trace, { driftDetection }: Properties = {}): FakeEngine =>
  new FakeEngine(dbplatform, { readsFirst: driftDetection !== "on-refresh", ...(trace && { trace }) });

const managedOf = ({ declared: { type }, id, inputs, outputs }: Entry): StackResource => ({
  type,
  id,
  inputs,
  outputs,
});
