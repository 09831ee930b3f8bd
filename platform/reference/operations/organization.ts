import { nameProblem } from "../../values/name";
import { refuse } from "../messages";
import { hasDatabases } from "../store/databases";
import { protectedGroupIn } from "../store/groups";
import {
  addOrganization,
  changeOrganization,
  changeRole,
  countOrganizations,
  findOrganization,
  findUser,
  listOrganizationsOf,
  NEW_ORGANIZATION,
  type Organization,
  removeOrganization,
} from "../store/organizations";
import { flag, type State } from "../store/schema";
import type { Handlers } from "./handler";

export const organization: Pick<
  Handlers,
  | "listOrganizations"
  | "listOrganizationsAsObject"
  | "createOrganization"
  | "retrieveOrganization"
  | "updateOrganization"
  | "deleteOrganization"
> = {
  async listOrganizations(_request, { state, caller }) {
    const own = await listOrganizationsOf(state, caller.user.id, caller.organizationId);
    return own.map(organizationRecord);
  },

  async listOrganizationsAsObject(_request, { state, caller }) {
    const own = await listOrganizationsOf(state, caller.user.id, caller.organizationId);
    return { organizations: own.map((row) => ({ ...organizationRecord(row), stripe_id: row.stripe_id })) };
  },

  async createOrganization({ query, body }, { state, caller, ids }) {
    await checkNewName(body.name, state);
    const created = { ...NEW_ORGANIZATION, slug: body.name, name: body.name, stripe_id: body.stripe_id ?? "" };
    const { id: _unmade, ...planned } = organizationRecord({ ...created, id: "" });
    if (query.dry_run === "true") return { org: planned };
    const id = await ids.uuid(state);
    if (!(await addOrganization(state, { ...created, id }))) throw refuse.organizationExists(body.name);
    await changeRole(state, { organizationId: id, userId: caller.user.id, role: "owner" });
    return { org: { id, ...planned } };
  },

  retrieveOrganization: (_request, { accessScope }) => ({ organization: retrievedRecord(accessScope.organization) }),

  async updateOrganization({ body }, { state, accessScope }) {
    const { restore_enabled, overages, require_mfa } = body;
    const { id } = accessScope.organization;
    await changeOrganization(state, id, {
      ...(overages !== undefined && { overages: flag(overages) }),
      ...(require_mfa !== undefined && { require_mfa: flag(require_mfa) }),
      ...(restore_enabled !== undefined && { restore_enabled: flag(restore_enabled) }),
    });
    const changed = await findOrganization(state, { id });
    return { organization: retrievedRecord(changed ?? accessScope.organization) };
  },

  async deleteOrganization(_request, { state, accessScope }) {
    const { id, slug, type } = accessScope.organization;
    if (type === "personal") throw refuse.personalOrganization("be deleted");
    if (await hasDatabases(state, accessScope)) throw refuse.organizationInUse(slug);
    const protectedGroup = await protectedGroupIn(state, accessScope);
    if (protectedGroup) throw refuse.deleteProtected("group", protectedGroup);
    if ((await countOrganizations(state)) === 1) throw refuse.lastOrganization();
    await removeOrganization(state, id);
    return {};
  },
};

/**
 * Throws unless a new organization can have this name. Every username is reserved as the slug of the user's personal
 * account, even if the account does not exist (§1).
 */
async function checkNewName(name: string, state: State): Promise<void> {
  const problem = nameProblem(name);
  if (problem) throw refuse.invalidOrganizationName(problem);
  if ((await findOrganization(state, { slug: name })) || (await findUser(state, name)))
    throw refuse.organizationExists(name);
}

/** Returns the API representation of an organization (wire-facts 1.2). */
const organizationRecord = (row: Omit<Organization, "number" | "restore_enabled">) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  type: row.type,
  overages: row.overages === 1,
  require_mfa: row.require_mfa === 1,
  blocked_reads: false,
  blocked_writes: false,
  plan_id: row.plan,
  plan_timeline: row.plan_timeline,
  platform: "",
});

const retrievedRecord = (row: Organization) => ({
  ...organizationRecord(row),
  restore_enabled: row.restore_enabled === 1,
});
