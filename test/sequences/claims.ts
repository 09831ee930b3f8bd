import { failedResponse, inaccessibleOrganization } from "../../platform/client/messages";
import type { DatabaseRow, GroupRow } from "../../platform/reference/store/schema";
import { sameValue } from "../../provider/lifecycle/inputs/messages";
import {
  deletionBesideImport,
  notDeleted,
  operationImpossible,
  otherOrganization,
  stillDeclaredInside,
} from "../../provider/lifecycle/messages";
import {
  importContradiction,
  importedTwice,
  importOverLive,
  nameRestored,
  restoreContradiction,
} from "../../provider/lifecycle/restore/messages";
import { existsElsewhere } from "../../provider/lifecycle/taken/messages";
import { scopesMissing } from "../../provider/resource/messages";
import {
  availableGroups,
  databaseInUnknownGroup,
  groupNotFound,
  objectInOtherGroup,
  restoredNamePlanned,
} from "../../provider/resources/group/messages";
import {
  acceptedInviteNotChanged,
  alreadyMember,
  INVITES_NEED_PLAN,
  membersNeedAdmin,
  ownerNotChanged,
  ownerNotRemoved,
  settingsNeedAdmin,
} from "../../provider/resources/organization/messages";
import {
  groupDeletedLater,
  groupNamePlanned,
  groupNameReused,
  objectNotFound,
  planHidesDeleted,
  restorerRoleTooLow,
} from "../../provider/resources/recovery/messages";
import { apiTokenOutOfSight } from "../../provider/resources/token/messages";
import { type Declared, needsOf, type Program } from "../fake-engine/declared-program";
import { LEA, withArgument, withDeclared } from "./declarations";
import { ANY, patternOf, WORD, WORDS } from "./message-pattern";
import { inAcme, isFree, isInWindow, isLive, liveDatabase, liveGroup } from "./platform-view";
import type { Scene } from "./scene";
import { nameOf, type View } from "./sequence-fixture";

/** A reason that an error message gives for refusing a run. */
export interface Claim {
  readonly name: string;
  readonly says: RegExp;
  /** Whether the reason in an error message is true, given the platform and the program. */
  holds(said: Said, scene: Scene, view: View): boolean;
  /** Removes the cause of this refusal and changes nothing else. */
  mend(said: Said, scene: Scene, view: View): unknown;
}

type Said = readonly string[];

const organizationSlug = "acme";
let fresh = 0;

const roleOf = (view: View): string => view.organizations.acme?.role ?? "";
const isPinned = ({ credential }: Scene): boolean => credential === "pinned" || credential === "reading";

const edit = (
  scene: Scene,
  is: (declared: Declared, slot: string) => boolean,
  change: (declared: Declared, slot: string) => Declared,
): void => {
  for (const [slot, declared] of scene.program)
    if (is(declared, slot)) scene.program = withDeclared(scene.program, slot, change(declared, slot));
};
const rename = (scene: Scene, is: (declared: Declared, slot: string) => boolean): void => {
  for (const [slot, declared] of scene.program)
    if (is(declared, slot)) scene.program = withArgument(scene.program, slot, "name", `fresh-${fresh++}`);
};
/** Declares a removed resource again, together with the resources that it depends on. */
function putBack(scene: Scene, slot: string, from: Program): void {
  const declared = from.get(slot);
  if (!declared || scene.program.has(slot)) return;
  for (const needed of needsOf(declared)) putBack(scene, needed, from);
  scene.program = withDeclared(scene.program, slot, declared);
}
const withoutImport = ({ import: _id, ...rest }: Declared): Declared => rest;
const asAdmin = (_said: Said, scene: Scene): void => {
  scene.credential = "admin";
};
const asMember = (_said: Said, { stage }: Scene) =>
  stage.outside.updateMember({ organizationSlug, username: "cid", body: { role: "admin" } });
const paid = (_said: Said, { stage }: Scene) => stage.api.plan("scaler");
const recoverable = (_said: Said, { stage }: Scene) =>
  stage.outside.updateOrganization({ organizationSlug, body: { restore_enabled: true } });

const unprotectDatabase = ({ stage }: Scene, { name }: DatabaseRow) =>
  stage.outside.updateDatabaseConfiguration({
    organizationSlug,
    databaseName: name,
    body: { delete_protection: false },
  });
const unprotectGroup = ({ stage }: Scene, { name }: GroupRow) =>
  stage.outside.updateGroupConfiguration({ organizationSlug, groupName: name, body: { delete_protection: false } });
const manages = (scene: Scene, id: string): boolean =>
  [...scene.program.keys()].some((slot) => scene.managed(slot) === id);

/** Restores a group outside Pulumi, after setting a paid plan and enabling recovery, which a restore requires. */
async function bringBack(said: Said, scene: Scene, groupId: string): Promise<void> {
  await paid(said, scene);
  await recoverable(said, scene);
  const { outside, organizationId } = scene.stage;
  const { databases } = await outside.restoreGroup({ organizationId, groupId });
  for (const one of [groupId, ...databases.map(({ DbId }) => DbId)]) scene.revived.add(one);
}

/** Renames a group both on the platform and in the program, so that the old name becomes free. */
async function makeWay(scene: Scene, { id, name: groupName }: GroupRow): Promise<void> {
  const name = `fresh-${fresh++}`;
  edit(
    scene,
    ({ type }, slot) => type === "Group" && scene.managed(slot) === id,
    (declared) => ({ ...declared, args: { ...declared.args, name } }),
  );
  await scene.stage.outside.renameGroup({ organizationSlug, groupName, body: { name } });
}

export const CLAIMS: readonly Claim[] = [
  {
    name: "an import over what is live",
    says: patternOf(importOverLive({ title: WORDS, id: WORD }, WORD)),
    holds: ([, live, wanted], { program }, view) =>
      [...view.groups.filter(isLive), ...view.databases.filter(isLive), ...view.tokens].some(({ id }) => id === live) &&
      [...program.values()].some((declared) => declared.import === wanted),
    mend: ([, live, wanted], scene) =>
      edit(scene, (declared, slot) => declared.import === wanted && scene.managed(slot) === live, withoutImport),
  },
  {
    name: "a deletion beside an import",
    says: patternOf(deletionBesideImport(ANY, [WORD]).answer, deletionBesideImport(ANY, [WORD, WORDS]).answer),
    holds: ([, only, first], { program }) => [...program.values()].some(({ import: id }) => id === (only ?? first)),
    // Changes nothing, because the next run deletes the object anyway.
    mend: () => {},
  },
  {
    name: "two resources import one object",
    says: patternOf(`${importedTwice(`${ANY}::${WORD}`, WORD).answer}. `),
    holds: ([, , imported], { program }) =>
      [...program.values()].filter(({ import: id }) => id === imported).length > 1,
    mend: ([, slot = ""], scene) => edit(scene, (_declared, one) => one === slot, withoutImport),
  },
  {
    name: "imported as something else than the program wants",
    says: patternOf(importContradiction(WORDS, WORD, { property: WORD, is: WORD, wanted: WORDS }).answer),
    holds: ([, id], { program }) => [...program.values()].some((declared) => declared.import === id),
    mend: ([, id, property = "", is = ""], scene) =>
      edit(
        scene,
        (declared) => declared.import === id,
        (declared) => ({ ...declared, args: { ...declared.args, [property]: is }, after: undefined }),
      ),
  },
  {
    name: "two resources claim one value",
    says: patternOf(sameValue(`${ANY}::${WORD}`, "name"), sameValue(`${ANY}::${WORD}`, "database")),
    holds: ([, named, part = ""], { program }) => program.has(named ?? part),
    mend: ([, named, part = ""], scene) => {
      if (named !== undefined) rename(scene, (_declared, one) => one === named);
      else scene.program = withDeclared(scene.program, part, undefined);
    },
  },
  {
    name: "a new group under the name of one that comes back",
    says: patternOf(
      groupNamePlanned({ groupName: ANY, groupId: ANY }, `${ANY}::${WORD}`),
      restoredNamePlanned(ANY, `${ANY}::${WORD}`),
    ),
    holds: ([, one, other], { program }) => program.has(one ?? other ?? ""),
    mend: ([, one, other], scene) => rename(scene, (_declared, slot) => slot === (one ?? other)),
  },
  {
    name: "a creation under the name of what this update restores",
    says: patternOf(`${operationImpossible("create", `${ANY} "${WORD}"`)}: ${nameRestored(ANY, ANY).answer}`),
    holds: ([, name], { program }) => [...program.values()].some(({ args }) => args.name === name),
    mend: ([, name], scene) =>
      rename(scene, ({ args }, slot) => args.name === name && scene.managed(slot) === undefined),
  },
  {
    name: "another organization",
    says: patternOf(otherOrganization(WORD, { slug: "globex", id: ANY }).answer),
    holds: ([, id], { credential }, view) => credential === "elsewhere" && id === view.organizations.acme?.id,
    mend: asAdmin,
  },
  {
    name: "no such organization",
    says: patternOf(inaccessibleOrganization("acme", WORDS).answer),
    holds: (_, { credential }) => credential === "misplaced",
    mend: asAdmin,
  },
  {
    name: "401",
    says: patternOf(failedResponse(401, "")),
    holds: (_, scene, view) =>
      scene.credential === "dead" ||
      (isPinned(scene) && !view.tokens.some(({ name }) => name === nameOf(scene.credential))),
    mend: asAdmin,
  },
  {
    name: "pinned to another group",
    says: patternOf(
      objectInOtherGroup(ANY, ANY).answer,
      databaseInUnknownGroup(ANY, ANY).answer,
      objectNotFound({ kind: "database", id: ANY, organization: "acme", pinnedTo: ANY }),
      objectNotFound({ kind: "database", id: ANY, organization: "acme", pinnedTo: ANY, isKnown: true }),
      objectNotFound({ kind: "database", id: ANY, organization: "acme", pinnedTo: ANY, hiddenBecause: "" }),
    ),
    holds: (_, scene) => isPinned(scene),
    mend: asAdmin,
  },
  {
    name: "needs an organization-level credential",
    says: /organization-level|cannot access org-level/,
    holds: (_, scene) => isPinned(scene),
    mend: asAdmin,
  },
  {
    name: "does not see the token",
    says: patternOf(apiTokenOutOfSight(ANY).answer),
    holds: (_, scene, view) => isPinned(scene) || !["admin", "owner"].includes(roleOf(view)),
    mend: (said, scene) => (isPinned(scene) ? asAdmin(said, scene) : asMember(said, scene)),
  },
  {
    name: "lacks a scope",
    says: patternOf(scopesMissing(ANY), /403: .*missing/),
    holds: (_, { credential }) => credential === "reading",
    mend: asAdmin,
  },
  {
    name: "role",
    says: patternOf(
      restorerRoleTooLow("acme", ANY, ANY),
      settingsNeedAdmin("acme", ANY, ANY),
      membersNeedAdmin("acme", ANY, ANY),
      /403: (this operation|updating member roles) is only allowed for (members|admin)/,
    ),
    holds: (_, _scene, view) => ["member", "viewer"].includes(roleOf(view)),
    mend: asMember,
  },
  {
    name: "protected by Pulumi",
    says: /currently marked for protection|because it is protected/,
    holds: (_, { program, wasProtected }) =>
      [...program.values()].some(({ protect }) => protect) || wasProtected.size > 0,
    mend: (_, scene) => {
      for (const [slot, program] of scene.wasProtected) putBack(scene, slot, program);
      edit(
        scene,
        ({ protect }) => protect === true,
        (declared) => ({ ...declared, protect: false }),
      );
    },
  },
  {
    name: "an imported one may not be replaced",
    says: /previously-imported resources that still specify an ID may not be replaced/,
    holds: (_, { program }) => [...program.values()].some(({ import: id }) => id !== undefined),
    mend: (_, scene) => edit(scene, ({ import: id }) => id !== undefined, withoutImport),
  },
  {
    name: "the name of a group is taken",
    says: patternOf(
      /group name "(\S+)" is already in use by ([\w-]{36})/,
      groupNameReused({ groupName: WORD, groupId: ANY }, WORD),
    ),
    holds: ([, name, id, gone, successor], _scene, view) =>
      liveGroup(view, (row) => row.id === (id ?? successor) && row.name === (name ?? gone)) !== undefined,
    mend: async ([, , id, , successor], scene, view) => {
      const row = liveGroup(view, (group) => group.id === (id ?? successor));
      if (!row) return;
      await makeWay(scene, row);
    },
  },
  {
    name: "the name of a database is taken",
    says: /database name "(\S+)" is already in use by ([\w-]{36})/,
    holds: ([, name, id], _scene, view) =>
      liveDatabase(view, (row) => row.id === id && row.name === name) !== undefined,
    mend: async ([, name, id], scene, view) => {
      const row = liveDatabase(view, (database) => database.id === id);
      if (!row) return;
      if (manages(scene, row.id)) {
        const others = (declared: Declared, slot: string) =>
          declared.type === "Database" && scene.managed(slot) !== row.id;
        const wanting = (declared: Declared, slot: string) => others(declared, slot) && declared.args.name === name;
        const waiting = (_declared: Declared, slot: string) =>
          !liveDatabase(view, ({ id: live }) => live === scene.managed(slot));
        const some = [...scene.program].some(([slot, declared]) => wanting(declared, slot));
        rename(scene, some ? wanting : (declared, slot) => others(declared, slot) && waiting(declared, slot));
        if (![...scene.program].some(([slot, declared]) => others(declared, slot)) || !some)
          // Removes the import from the resource that manages this database, because the resource imports another
          // database of the same name.
          edit(
            scene,
            (declared, slot) =>
              scene.managed(slot) === row.id && declared.import !== undefined && declared.import !== row.id,
            withoutImport,
          );
        return;
      }
      await unprotectDatabase(scene, row);
      await scene.stage.outside.deleteDatabaseById({ organizationId: scene.stage.organizationId, databaseId: row.id });
    },
  },
  {
    name: "its group was deleted after it",
    says: patternOf(groupDeletedLater({ groupName: WORD, groupId: WORD })),
    holds: ([, name, id], _scene, view) =>
      view.groups.some((row) => row.id === id && row.name === name && isInWindow(row, view)),
    mend: async (said, scene, view) => {
      const [, name, id = ""] = said;
      const holder = liveGroup(view, (row) => row.name === name);
      if (holder) await makeWay(scene, holder);
      await bringBack(said, scene, id);
    },
  },
  {
    name: "no such group",
    says: patternOf(
      `${groupNotFound(WORD, "acme")}. ${availableGroups([])}`,
      `${groupNotFound(WORD, "acme")}. Available groups`,
    ),
    // Also checks the platform as it was before the run. The engine compares resources in any order, so a run may
    // report a missing group and later restore that group for another database.
    holds: ([, one, other], { before }, view) => {
      const name = one ?? other;
      return [before, view].some(
        (then) => liveGroup(then, (row) => row.name === name || row.id === name) === undefined,
      );
    },
    mend: async (said, scene, view) => {
      const [, one, name = one ?? ""] = said;
      const isNamed = (row: GroupRow) => row.name === name || row.id === name;
      if (liveGroup(view, isNamed)) return;
      const deleted = view.groups.find((row) => isNamed(row) && isInWindow(row, view));
      if (deleted) await bringBack(said, scene, deleted.id);
      else await scene.stage.outside.createGroup({ organizationSlug, body: { name, location: "aws-us-east-1" } });
    },
  },
  {
    name: "a member exists already",
    says: patternOf(existsElsewhere(`member "${WORD}"`, ANY, false).answer),
    holds: ([, username = ""], { before }, view) => username in before.members || username in view.members,
    mend: ([, username = ""], { stage }, view) =>
      view.members[username] === "owner"
        ? stage.api.member(username, undefined)
        : stage.outside.removeMember({ organizationSlug, username }),
  },
  {
    name: "an owner",
    says: patternOf(ownerNotChanged("zoe"), ownerNotRemoved("zoe")),
    holds: (_, _scene, view) => view.members.zoe === "owner",
    mend: (_, { stage }) => stage.api.member("zoe", "member"),
  },
  {
    name: "an accepted invite",
    says: patternOf(acceptedInviteNotChanged(LEA, "lea"), alreadyMember(LEA, "lea")),
    holds: (_, _scene, view) => "lea" in view.members,
    mend: (_, scene) => {
      scene.program = withDeclared(scene.program, "lea", undefined);
    },
  },
  {
    name: "recovery is disabled",
    says: /recovery is disabled for (?:the )?organization/,
    holds: (_, _scene, view) => view.organizations.acme?.restores === false,
    mend: recoverable,
  },
  {
    name: "plan",
    says: patternOf(planHidesDeleted("acme"), INVITES_NEED_PLAN, /403:.*plan/),
    holds: (_, _scene, view) => isFree(view),
    mend: paid,
  },
  {
    name: "never existed, or its five days have passed",
    says: patternOf(
      objectNotFound({ kind: "database", id: WORD, organization: "acme" }),
      objectNotFound({ kind: "group", id: WORD, organization: "acme" }),
      objectNotFound({ kind: "database", id: WORD, organization: "acme", isKnown: true }),
      objectNotFound({ kind: "group", id: WORD, organization: "acme", isKnown: true }),
    ),
    holds: ([, ...ids], _scene, view) => {
      const id = ids.find(Boolean);
      const row = [...view.groups, ...view.databases].find((one) => one.id === id);
      return row === undefined || !inAcme(row, view) || (!isLive(row) && !isInWindow(row, view));
    },
    mend: ([, ...ids], scene) => edit(scene, (declared) => declared.import === ids.find(Boolean), withoutImport),
  },
  {
    name: "deleted as something else than the program wants",
    says: patternOf(
      `${operationImpossible("restore", `${ANY} "${WORD}" (${ANY})`)}: ${restoreContradiction({ property: WORD, is: WORD, wanted: ANY })}`,
    ),
    holds: ([, name, property, was], _scene, view) =>
      property === "location"
        ? view.groups.some((row) => row.name === name && isInWindow(row, view) && row.location === was)
        : view.databases.some(
            (row) =>
              row.name === name &&
              inAcme(row, view) &&
              [row.group_id, view.groups.find(({ id }) => id === row.group_id)?.name].includes(was),
          ),
    mend: ([, name, property = "", was = ""], scene, view) => {
      const ids = [...view.groups, ...view.databases].filter((row) => row.name === name).map(({ id }) => id);
      edit(
        scene,
        (declared, slot) =>
          declared.args[property] !== undefined &&
          declared.args[property] !== was &&
          [declared.import, scene.managed(slot)].some((id) => ids.includes(id ?? "")),
        (declared) => ({ ...declared, args: { ...declared.args, [property]: was }, after: undefined }),
      );
    },
  },
  {
    name: "a database is delete-protected",
    says: /database "(\S+)" is delete-protected|database .*protect/,
    holds: (_, _scene, view) => liveDatabase(view, (row) => row.delete_protection === 1) !== undefined,
    mend: async (_, scene, view) => {
      edit(
        scene,
        ({ type, args }) => type === "DatabaseConfiguration" && args.deleteProtection === true,
        (declared) => ({ ...declared, args: { ...declared.args, deleteProtection: false } }),
      );
      for (const row of view.databases) if (isLive(row) && inAcme(row, view)) await unprotectDatabase(scene, row);
    },
  },
  {
    name: "a group is delete-protected",
    says: /group "(\S+)" is delete-protected|group .*protect/,
    holds: (_, _scene, view) => liveGroup(view, (row) => row.delete_protection === 1) !== undefined,
    mend: async (_, scene, view) => {
      edit(
        scene,
        ({ type, args }) => type === "Group" && args.deleteProtection === true,
        (declared) => ({ ...declared, args: { ...declared.args, deleteProtection: false } }),
      );
      for (const row of view.groups) if (isLive(row) && inAcme(row, view)) await unprotectGroup(scene, row);
    },
  },
  {
    name: "the program still declares what is in it",
    says: patternOf(
      `${notDeleted(`group "${WORD}"`, WORD)}: ${stillDeclaredInside("group", `${WORDS} (${WORD})`).answer}`,
    ),
    holds: ([, name, id, inside], scene, view) =>
      liveGroup(view, (row) => row.id === id && row.name === name) !== undefined && manages(scene, inside ?? ""),
    mend: ([, , , inside], scene) => {
      const slot = [...scene.program.keys()].find((one) => scene.managed(one) === inside);
      if (slot !== undefined) scene.program = withDeclared(scene.program, slot, undefined);
    },
  },
  {
    name: "a group still holds databases",
    says: /group "(\S+)" still contains (?:a database|\d+ databases): (.*?)\. Possible reasons/,
    holds: ([, , list = ""], _scene, view) =>
      [...list.matchAll(/"(\S+)" \((\S+?)\)/g)].every(([, name, id]) =>
        liveDatabase(view, (row) => row.id === id && row.name === name),
      ),
    mend: async ([, , list = ""], scene, view) => {
      for (const [, , id] of list.matchAll(/"(\S+)" \((\S+?)\)/g)) {
        const row = liveDatabase(view, (database) => database.id === id);
        if (!row) continue;
        await unprotectDatabase(scene, row);
        const slot = [...scene.program.keys()].find((one) => scene.managed(one) === row.id);
        if (slot !== undefined) scene.program = withDeclared(scene.program, slot, undefined);
        await scene.stage.outside.deleteDatabaseById({
          organizationId: scene.stage.organizationId,
          databaseId: row.id,
        });
      }
    },
  },
];
