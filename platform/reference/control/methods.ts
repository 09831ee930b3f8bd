import { Credential, mintCredential, organizationOrFirst, setRole } from "../credentials/credential";
import { checkSqlToken } from "../credentials/sql-token-check";
import { FaultRule } from "../faults/faults";
import { refuse } from "../messages";
import { findAnyDatabase } from "../operations/database";
import { changeOrganization } from "../operations/organization";
import type { ReferenceApi } from "../reference-api";
import { parseOrRefuse } from "../requests/parse";
import { getResetOrigin, resetToOrigin } from "../seed/reset";
import type { Services } from "../services";
import { clockNow } from "../time/clock";

/** The first organization. It changes when a snapshot of other data is loaded. */
interface Home {
  organization: string;
  organizationId: string;
}
type Methods<Name extends keyof ReferenceApi> = Pick<ReferenceApi, Name>;

/**
 * Methods of the reference API that the platform does not have. They do not use `this`, so they can be passed as
 * callbacks.
 */
export const methodsOf = (services: Services, home: Home) => ({
  ...credentialMethods(services, home),
  ...timeMethods(services),
  ...faultMethods(services),
  ...journalMethods(services),
  ...stateMethods(services, home),
});

const credentialMethods = (
  { store, signer, ids }: Services,
  home: Home,
): Methods<"token" | "member" | "plan" | "verifySqlToken"> => ({
  token: async (wanted = {}) => mintCredential(store, { signer, ids }, parseOrRefuse(Credential, wanted)),
  member: (username, role) =>
    store.transaction([home.organization], (state) =>
      setRole(state, ids, { organizationId: home.organizationId, username, role }),
    ),
  plan: (plan) =>
    store.transaction([home.organization], (state) => changeOrganization(state, home.organizationId, { plan })),
  verifySqlToken: (token, database) =>
    store.read(async (state) => {
      const found = await findAnyDatabase(state, database);
      if (!found) throw refuse.databaseIdNotFound({ id: database });
      return checkSqlToken(state, { token, database: found, now: await clockNow(state) });
    }),
});

const timeMethods = ({ clock }: Services): Methods<"clock" | "advance"> => ({
  clock,
  advance: (seconds) => clock.advance(seconds),
});

const faultMethods = ({ faults }: Services): Methods<"fault" | "faults" | "removeFault" | "clearFaults"> => ({
  fault: (rule) => faults.add(parseOrRefuse(FaultRule, rule)),
  faults: () => faults.list(),
  removeFault: (id) => faults.remove(id),
  clearFaults: () => faults.clear(),
});

const journalMethods = ({ journal }: Services): Methods<"journal" | "clearJournal"> => ({
  journal: () => journal.entries(),
  clearJournal: () => journal.clear(),
});

function stateMethods(
  { store, sql, faults, journal, snapshots }: Services,
  home: Home,
): Methods<"reset" | "save" | "load" | "snapshots" | "deleteSnapshot"> {
  const replaced = async () => {
    faults.reset();
    journal.clear();
    const { slug, id } = await organizationOrFirst(store, undefined);
    Object.assign(home, { organization: slug, organizationId: id } satisfies Home);
  };
  return {
    reset: async () =>
      (await snapshots()).inTurn(async () => {
        if (sql) {
          // Otherwise, the reset would fail only after it has ended all streams.
          await store.read(getResetOrigin);
          await sql.snapshots.reset(resetToOrigin);
        } else await store.transaction("all", resetToOrigin);
        await replaced();
      }),
    save: async (name, options) => (await snapshots()).save(name, options),
    async load(name) {
      const loaded = await (await snapshots()).load(name);
      await replaced();
      return loaded;
    },
    snapshots: async () => (await snapshots()).list(),
    deleteSnapshot: async (name) => (await snapshots()).delete(name),
  };
}
