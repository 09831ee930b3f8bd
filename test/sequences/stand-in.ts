import { messageOf } from "../../platform/client/refusal";
import { Instance } from "../../provider/config";
import type { Driver, Managed, Outcome } from "./driver";
import { type Entry, OneRun } from "./one-run";
import type { Program } from "./program";
import type { CredentialKind, Stage } from "./stage";

/** Stands in for the engine where that would cost too much. What is found with it is to be seen on the engine too. */
export function standIn(stage: Stage): Driver {
  let state: readonly Entry[] = [];
  let made = 0;

  async function run(program: Program, credential: CredentialKind, preview: boolean): Promise<Outcome> {
    const {
      DBPLATFORM_BASE_URL: baseUrl,
      DBPLATFORM_ORGANIZATION: organization,
      DBPLATFORM_API_TOKEN: apiToken,
    } = stage.environment(credential);
    const instance = new Instance({ baseUrl, organization, apiToken, organizationId: stage.organizationId }, {});
    const one = new OneRun({ state, program, preview, instance, seed: () => `${made++}` });
    try {
      await one.run();
      return { refusals: [], empty: one.steps === 0 };
    } catch (thrown) {
      return { refusals: [messageOf(thrown)], empty: false };
    } finally {
      if (!preview) state = one.state;
      await instance.close();
    }
  }

  return {
    up: (program, credential) => run(program, credential, false),
    preview: (program, credential) => run(program, credential, true),
    managed: async () =>
      new Map(state.filter(({ waiting }) => !waiting).map((entry) => [entry.slot, managedOf(entry)])),
    tokens: async () => Object.fromEntries(state.map(({ slot, outputs }) => [slot, outputs.token])),
    waiting: async () => state.filter(({ waiting }) => waiting).length,
    close: async () => {},
  };
}

const managedOf = ({ declared: { type }, id, outputs }: Entry): Managed => ({ type, id, outputs });
