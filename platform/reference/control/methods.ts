import { Credential, changeMember, credential } from "../credentials/credential";
import { checkSqlToken } from "../credentials/sql-token-check";
import { FaultRule } from "../faults/faults";
import { refuse } from "../messages";
import type { ReferenceApi } from "../reference-api";
import { parseOrRefuse } from "../requests/parse";
import { resetToOrigin } from "../seed/reset";
import type { Services } from "../services";
import { findAnyDatabaseRow } from "../store/databases";
import { changeOrganizationRow } from "../store/organizations";
import { clockNowIn } from "../time/clock";

type Home = Pick<ReferenceApi, "organization" | "organizationId">;
type Methods<Name extends keyof ReferenceApi> = Pick<ReferenceApi, Name>;

/**
 * Methods of the reference API that the platform does not have. They do not use `this`, so they can be passed as
 * callbacks.
 */
export const methodsOf = (services: Services, home: Home) => ({
  ...credentialMethods(services, home),
  ...timeMethods(services),
  ...faultMethods(services),
  ...requestMethods(services),
});

const credentialMethods = (
  { store, signer, ids }: Services,
  { organization, organizationId }: Home,
): Methods<"token" | "member" | "plan" | "verifySqlToken"> => ({
  token: async (wanted = {}) => credential(store, { signer, ids }, parseOrRefuse(Credential, wanted)),
  member: (username, role) =>
    store.transaction([organization], (state) => changeMember(state, ids, { organizationId, username, role })),
  plan: (plan) => store.transaction([organization], (state) => changeOrganizationRow(state, organizationId, { plan })),
  verifySqlToken: (token, database) =>
    store.read(async (state) => {
      const found = await findAnyDatabaseRow(state, database);
      if (!found) throw refuse.databaseIdNotFound({ id: database });
      return checkSqlToken(state, { token, database: found, now: await clockNowIn(state) });
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

const requestMethods = ({ store, sql, faults, journal }: Services): Methods<"journal" | "clearJournal" | "reset"> => ({
  journal: () => journal.entries(),
  clearJournal: () => journal.clear(),
  async reset() {
    await resetToOrigin(store);
    await sql?.reset();
    faults.reset();
    journal.clear();
  },
});
