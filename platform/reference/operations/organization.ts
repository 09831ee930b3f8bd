import { nameProblem } from "../../values/name";
import type { AccessScope } from "../credentials/access-scope";
import { findOrganization, findUser, type Organization, putMember } from "../credentials/membership";
import { RESTORE_ENABLED_WITH_OTHERS, refuse } from "../messages";
import { checkedColumns } from "../store/columns";
import { nextNumber } from "../store/counters";
import { given } from "../store/given";
import { asFlag, type State } from "../store/schema";
import { auditLogCounterOf } from "./audit-log";
import { selectLiveDatabases } from "./database";
import { selectLiveGroups } from "./group";
import { isInvited } from "./member";
import type { Operations } from "./operation";

export const NEW_ORGANIZATION = {
  plan: "scaler",
  plan_timeline: "",
  overages: 0,
  require_mfa: 0,
  restore_enabled: 1,
  type: "team",
} as const satisfies Partial<Organization>;

export const organizations = {
  retrieveUser: {
    async handle(_request, { state, caller }) {
      const { username, name, email } = caller.user;
      const personal = await findOrganization(state, { slug: username });
      return {
        user: {
          username,
          name,
          email,
          avatarUrl: "",
          plan: personal?.plan ?? "",
          mfa: false,
          has_pending_invites: await isInvited(state, email),
        },
      };
    },
  },

  listOrganizations: {
    async handle(_request, { state, caller }) {
      const own = await listOrganizationsOf(state, caller.user.id, caller.organizationId);
      return own.map(organizationRecord);
    },
  },

  listOrganizationsAsObject: {
    async handle(_request, { state, caller }) {
      const own = await listOrganizationsOf(state, caller.user.id, caller.organizationId);
      return { organizations: own.map((row) => ({ ...organizationRecord(row), stripe_id: row.stripe_id })) };
    },
  },

  createOrganization: {
    async handle({ query, body }, { state, caller, ids }) {
      await checkNewName(body.name, state);
      const created = { ...NEW_ORGANIZATION, slug: body.name, name: body.name, stripe_id: body.stripe_id ?? "" };
      const { id: _unmade, ...planned } = organizationRecord({ ...created, id: "" });
      if (query.dry_run === "true") return { org: planned };
      const id = await ids.uuid(state);
      if (!(await addOrganization(state, { ...created, id })))
        throw refuse.nameTaken({ kind: "organization", name: body.name });
      await putMember(state, { organizationId: id, userId: caller.user.id, role: "owner" });
      return { org: { id, ...planned } };
    },
    audit: ({ request: { query, body } }) =>
      query.dry_run === "true"
        ? []
        : { code: "org-create", data: { organization: body.name }, organization: body.name },
  },

  retrieveOrganization: {
    handle: (_request, { accessScope }) => ({ organization: retrievedOrganizationRecord(accessScope.organization) }),
  },

  updateOrganization: {
    /** Rejects `restore_enabled` together with any other field (wire-facts 1.3). */
    check: ({ body: { restore_enabled, overages, require_mfa } }) =>
      restore_enabled !== undefined && (overages !== undefined || require_mfa !== undefined)
        ? RESTORE_ENABLED_WITH_OTHERS
        : undefined,
    async handle({ body }, { state, accessScope }) {
      const { restore_enabled, overages, require_mfa } = body;
      const { id } = accessScope.organization;
      await changeOrganization(state, id, {
        ...(overages !== undefined && { overages: asFlag(overages) }),
        ...(require_mfa !== undefined && { require_mfa: asFlag(require_mfa) }),
        ...(restore_enabled !== undefined && { restore_enabled: asFlag(restore_enabled) }),
      });
      const changed = await findOrganization(state, { id });
      return { organization: retrievedOrganizationRecord(changed ?? accessScope.organization) };
    },
    audit({ request: { body } }) {
      if (Object.keys(body).length === 0) return [];
      return { code: body.overages === undefined ? "org-configure" : "org-set-overages", data: { ...body } };
    },
  },

  deleteOrganization: {
    async handle(_request, { state, accessScope }) {
      const { id, slug, type } = accessScope.organization;
      if (type === "personal") throw refuse.personalOrganization({ unpersonal: "be deleted" });
      if (await hasDatabases(state, accessScope)) throw refuse.organizationInUse({ slug });
      const protectedGroup = await protectedGroupIn(state, accessScope);
      if (protectedGroup) throw refuse.deleteProtected({ kind: "group", name: protectedGroup });
      if ((await countOrganizations(state)) === 1) throw refuse.lastOrganization();
      await removeOrganization(state, id);
      return {};
    },
    /**
     * The entry goes to the log of the caller's personal account, because the operation also deletes the
     * organization's own log.
     */
    audit: ({ request: { params }, caller }) => ({
      code: "org-delete",
      data: { organization: params.organizationSlug },
      organization: caller.user.username,
    }),
  },
} satisfies Partial<Operations>;

/**
 * Throws unless a new organization can have this name. Every username is reserved as the slug of the user's personal
 * account, even if the account does not exist (§1).
 */
async function checkNewName(name: string, state: State): Promise<void> {
  const problem = nameProblem(name);
  if (problem) throw refuse.invalidName({ kind: "organization", reason: problem });
  if ((await findOrganization(state, { slug: name })) || (await findUser(state, name)))
    throw refuse.nameTaken({ kind: "organization", name });
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

const retrievedOrganizationRecord = (row: Organization) => ({
  ...organizationRecord(row),
  restore_enabled: row.restore_enabled === 1,
});

/** Lists the organizations of a user, oldest first. `only` is a UUID that restricts the list to one organization. */
const listOrganizationsOf = (state: State, userId: string, only?: string): Promise<Organization[]> =>
  state
    .selectFrom("organizations")
    .innerJoin("members", "members.organization_id", "organizations.id")
    .selectAll("organizations")
    .where("members.user_id", "=", userId)
    .$call(given(only, (query, value) => query.where("organizations.id", "=", value)))
    .orderBy("organizations.number")
    .execute();

async function countOrganizations(state: State): Promise<number> {
  const { count } = await state
    .selectFrom("organizations")
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function addOrganization(state: State, organization: Omit<Organization, "number">): Promise<boolean> {
  for (;;) {
    const number = await nextNumber(state, "organizations");
    const added = await state
      .insertInto("organizations")
      .values(checkedColumns({ ...organization, number }))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (added) return true;
    if (await findOrganization(state, { slug: organization.slug })) return false;
    // Tries the next number, because a seed numbers its organizations without this counter.
  }
}

async function removeOrganization(state: State, id: string): Promise<void> {
  const owned = (table: "groups" | "databases") =>
    state.selectFrom(table).select(`${table}.id`).where(`${table}.organization_id`, "=", id);
  await state
    .deleteFrom("signing_keys")
    .where(({ eb, or }) => or([eb("owner_id", "in", owned("groups")), eb("owner_id", "in", owned("databases"))]))
    .execute();
  for (const table of ["tokens", "databases", "groups", "dumps", "invites", "audit_logs", "members"] as const)
    await state.deleteFrom(table).where("organization_id", "=", id).execute();
  await state.deleteFrom("counters").where("name", "=", auditLogCounterOf(id)).execute();
  await state.deleteFrom("organizations").where("id", "=", id).execute();
}

export async function changeOrganization(
  state: State,
  id: string,
  changes: Partial<Omit<Organization, "id">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await state.updateTable("organizations").set(checkedColumns(changes, { id })).where("id", "=", id).execute();
}

/** Returns whether the organization has any live database. */
const hasDatabases = async (state: State, accessScope: AccessScope): Promise<boolean> =>
  (await selectLiveDatabases(state, accessScope).limit(1).executeTakeFirst()) !== undefined;

async function protectedGroupIn(state: State, accessScope: AccessScope): Promise<string | undefined> {
  const row = await selectLiveGroups(state, accessScope)
    .where("delete_protection", "=", 1)
    .orderBy("name")
    .limit(1)
    .executeTakeFirst();
  return row?.name;
}
