import {
  deletedWithReplaced,
  notDeleted,
  operationImpossible,
  stillDeclaredInside,
} from "../../../kit/lifecycle/messages";
import { restoreContradiction } from "../../../kit/lifecycle/restore/messages";
import { existsElsewhere } from "../../../kit/lifecycle/taken/messages";
import { objectNotFound, planHidesDeleted } from "../../../provider/resources/messages";
import {
  acceptedInviteNotChanged,
  alreadyMember,
  INVITES_NEED_PLAN,
  ownerNotChanged,
  ownerNotRemoved,
} from "../../../provider/resources/organization/messages";
import { LEA, withDeclared } from "../declarations";
import { ANY, patternOf, WORD, WORDS } from "../message-pattern";
import { inAcme, isFree, isInWindow, isLive, liveDatabase, liveGroup } from "../platform-view";
import type { Claim } from "./claim";
import {
  edit,
  manages,
  organizationSlug,
  paid,
  recoverable,
  unprotectDatabase,
  unprotectGroup,
  withoutImport,
} from "./mend";

/** Refusals caused by the organization's members, plan, groups or databases. */
export const OBJECTS: readonly Claim[] = [
  {
    name: "a member exists already",
    says: patternOf(existsElsewhere({ title: `member "${WORD}"`, id: ANY, isReplacing: false }).answer),
    holds: ([, username = ""], { before }, view) => username in before.members || username in view.members,
    mend: ([, username = ""], { stage }, view) =>
      view.members[username] === "owner"
        ? stage.api.member(username, undefined)
        : stage.outside.removeMember({ organizationSlug, username }),
  },
  {
    name: "an owner",
    says: patternOf(ownerNotChanged({ username: "zoe" }), ownerNotRemoved({ username: "zoe" })),
    holds: (_, _scene, view) => view.members.zoe === "owner",
    mend: (_, { stage }) => stage.api.member("zoe", "member"),
  },
  {
    name: "an accepted invite",
    says: patternOf(
      acceptedInviteNotChanged({ email: LEA, username: "lea" }),
      alreadyMember({ email: LEA, username: "lea" }),
    ),
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
    says: patternOf(planHidesDeleted({ organization: "acme" }), INVITES_NEED_PLAN, /403:.*plan/),
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
      `${operationImpossible({ operation: "restore", object: `${ANY} "${WORD}" (${ANY})` })}: ${restoreContradiction({ difference: { property: WORD, is: WORD, wanted: ANY } })}`,
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
      `${notDeleted({ title: `group "${WORD}"`, id: WORD })}: ${stillDeclaredInside({ kind: "group", inside: `${WORDS} (${WORD})` }).answer}`,
    ),
    holds: ([, name, id, inside], scene, view) =>
      liveGroup(view, (row) => row.id === id && row.name === name) !== undefined && manages(scene, inside ?? ""),
    mend: ([, , , inside], scene) => {
      const slot = [...scene.program.keys()].find((one) => scene.managed(one) === inside);
      if (slot !== undefined) scene.program = withDeclared(scene.program, slot, undefined);
    },
  },
  {
    name: "the replacement of a group would delete what is in it",
    says: patternOf(deletedWithReplaced({ kind: "group", inside: `${WORDS} (${WORD})` }).answer),
    holds: ([, inside], scene) => manages(scene, inside ?? ""),
    mend: ([, inside], scene) => {
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
