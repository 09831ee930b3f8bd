import type { DatabaseRow, GroupRow } from "../../platform/reference/store/schema";
import { LEA, NAMES } from "./declarations";
import { inAcme, isLive } from "./platform-view";
import { pick, type Scene, type SequenceStep } from "./scene";
import type { PlatformView } from "./sequence-fixture";

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const CLOCK_MOVES = [HOUR, 2 * DAY, 5 * DAY, 5 * DAY + 1];

type Act = (scene: Scene, step: SequenceStep, view: PlatformView) => Promise<unknown>;

const groupsIn = (view: PlatformView, living: boolean): GroupRow[] =>
  view.groups.filter((group) => inAcme(group, view) && isLive(group) === living);
const databasesIn = (view: PlatformView, living: boolean): DatabaseRow[] =>
  view.databases.filter((row) => inAcme(row, view) && isLive(row) === living);

const organizationSlug = "acme";

const toGroup =
  (
    living: boolean,
    act: (group: GroupRow, scene: Scene, step: SequenceStep, view: PlatformView) => Promise<unknown>,
  ): Act =>
  async (scene, step, view) => {
    const group = pick(groupsIn(view, living), step.to);
    if (group) await act(group, scene, step, view);
  };
const toDatabase =
  (
    living: boolean,
    act: (row: DatabaseRow, scene: Scene, step: SequenceStep, view: PlatformView) => Promise<unknown>,
  ): Act =>
  async (scene, step, view) => {
    const database = pick(databasesIn(view, living), step.to);
    if (database) await act(database, scene, step, view);
  };

const groupNameOf = (view: PlatformView, { group_id }: DatabaseRow): string =>
  view.groups.find(({ id }) => id === group_id)?.name ?? "";

export const OUTSIDE: Record<string, Act> = {
  renameGroup: toGroup(true, async (group, { stage }, { how }) => {
    const name = pick([...NAMES, "gamma"], how) ?? "";
    await stage.outside.renameGroup({ organizationSlug, groupName: group.name, body: { name } });
  }),
  deleteGroup: toGroup(true, (group, { stage }) =>
    stage.outside.deleteGroup({ organizationSlug, groupName: group.name }),
  ),
  restoreGroup: toGroup(false, async (group, { stage, revived }) => {
    const { organizationId, outside } = stage;
    const { databases } = await outside.restoreGroup({ organizationId, groupId: group.id });
    for (const id of [group.id, ...databases.map(({ DbId }) => DbId)]) revived.add(id);
  }),
  remakeGroup: toGroup(true, async ({ name, location }, { stage: { outside } }) => {
    await outside.deleteGroup({ organizationSlug, groupName: name });
    await outside.createGroup({ organizationSlug, body: { name, location } });
  }),
  changeGroupProtection: toGroup(true, (group, { stage }) =>
    stage.outside.updateGroupConfiguration({
      organizationSlug,
      groupName: group.name,
      body: { delete_protection: group.delete_protection === 0 },
    }),
  ),
  addLocation: toGroup(true, (group, { stage }) =>
    stage.outside.addGroupLocation({ organizationSlug, groupName: group.name, location: "aws-us-west-2" }),
  ),
  transferGroup: toGroup(true, (group, { stage }) =>
    stage.outside.transferGroup({ organizationSlug, groupName: group.name, body: { organization: "globex" } }),
  ),
  deleteDatabase: toDatabase(true, ({ id }, { stage: { outside, organizationId } }) =>
    outside.deleteDatabaseById({ organizationId, databaseId: id }),
  ),
  restoreDatabase: toDatabase(false, async (database, scene, { how }) => {
    const { outside, organizationId } = scene.stage;
    const name = pick([undefined, ...NAMES], how);
    await outside.restoreDatabase({ organizationId, databaseId: database.id, ...(name ? { body: { name } } : {}) });
    scene.revived.add(database.id).add(database.group_id);
  }),
  remakeDatabase: toDatabase(true, async (database, { stage: { outside, organizationId } }, _step, view) => {
    await outside.deleteDatabaseById({ organizationId, databaseId: database.id });
    const body = { name: database.name, group: groupNameOf(view, database) };
    await outside.createDatabase({ organizationSlug, body });
  }),
  createDatabase: async ({ stage: { outside } }, { to, how }, view) => {
    const group = pick(groupsIn(view, true), to)?.name;
    const name = pick([...NAMES, "users"], how);
    if (group && name) await outside.createDatabase({ organizationSlug, body: { name, group } });
  },
  createGroup: ({ stage: { outside } }, { how }) =>
    outside.createGroup({
      organizationSlug,
      body: { name: pick([...NAMES, "south"], how) ?? "", location: "aws-us-east-1" },
    }),
  configureDatabase: toDatabase(true, ({ name, delete_protection, block_writes }, { stage: { outside } }, { how }) => {
    const bodies = [
      { delete_protection: delete_protection === 0 },
      { block_writes: block_writes === 0 },
      { size_limit: "512mb" },
    ];
    const body = pick(bodies, how) ?? {};
    return outside.updateDatabaseConfiguration({ organizationSlug, databaseName: name, body });
  }),
  rotateDatabase: toDatabase(true, async ({ id, name }, { stage: { outside }, rotated }) => {
    await outside.rotateDatabaseTokens({ organizationSlug, databaseName: name });
    rotated.add(id);
  }),
  rotateGroup: toGroup(true, async ({ id, name }, { stage: { outside }, rotated }) => {
    await outside.rotateGroupTokens({ organizationSlug, groupName: name });
    rotated.add(id);
  }),
  revokeToken: async ({ stage: { outside, api } }, { to }, { tokens }) => {
    const own = tokens.filter(({ name }) => !name.startsWith("reference-") && api.apiToken !== name);
    const token = pick(own, to);
    if (token) await outside.revokeApiToken({ organizationSlug, tokenId: token.id });
  },
  changeRole: ({ stage: { outside } }, { how }) => {
    const role = pick(["member", "viewer", "admin"] as const, how) ?? "admin";
    return outside.updateMember({ organizationSlug, username: "cid", body: { role } });
  },
  changeMember: ({ stage: { outside } }, { how }) => {
    const role = pick(["member", "viewer", "admin"] as const, how) ?? "admin";
    return outside.updateMember({ organizationSlug, username: "zoe", body: { role } });
  },
  addMember: ({ stage: { outside } }) => outside.addMember({ organizationSlug, body: { username: "zoe" } }),
  removeMember: ({ stage: { outside } }) => outside.removeMember({ organizationSlug, username: "zoe" }),
  makeOwner: async ({ stage: { api } }) => api.member("zoe", "owner"),
  withdrawInvite: ({ stage: { outside } }) => outside.deleteInvite({ organizationSlug, email: LEA }),
  acceptInvite: ({ stage: { outside } }, _step, { invites }) =>
    LEA in invites ? outside.addMember({ organizationSlug, body: { username: "lea" } }) : Promise.resolve(),
  changePlan: ({ stage: { api } }, { how }) => api.plan(pick(["starter", "scaler"], how) ?? "scaler"),
  changeRecovery: ({ stage: { outside } }, _step, view) =>
    outside.updateOrganization({ organizationSlug, body: { restore_enabled: !view.organizations.acme?.restores } }),
  changeMfa: ({ stage: { outside } }, _step, view) =>
    outside.updateOrganization({ organizationSlug, body: { require_mfa: !view.organizations.acme?.mfa } }),
  advance: ({ stage: { api } }, { how }) => api.advance(pick(CLOCK_MOVES, how) ?? 0),
};
