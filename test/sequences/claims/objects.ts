import {
  deletionPrevented,
  operationImpossible,
  replacementPrevented,
  stillDeclaredInside,
} from "../../../kit/lifecycle/messages";
import { restoreContradiction } from "../../../kit/lifecycle/restore/messages";
import { keyTakenElsewhere } from "../../../kit/lifecycle/taken/messages";
import { nounOf } from "../../../kit/phrases";
import { refuse } from "../../../platform/reference/messages";
import type { DatabaseRow } from "../../../platform/reference/store/schema";
import { failedResponse } from "../../../provider/client/messages";
import { seedSourceDeleted } from "../../../provider/resources/database/messages";
import { groupNotEmpty } from "../../../provider/resources/group/messages";
import {
  databaseInGroupProtected,
  OBJECT_PROTECTED,
  objectNotFound,
  planHasNoRecovery,
  planHidesDeleted,
  recoveryDisabledIn,
} from "../../../provider/resources/messages";
import {
  acceptedInviteNotChanged,
  alreadyMember,
  INVITES_NEED_PLAN,
  ownerNotChanged,
  ownerNotRemoved,
} from "../../../provider/resources/organization/messages";
import { LEA, SLOTS, withDeclared } from "../declarations";
import { differencesIn, idsIn, namedIn } from "../named";
import { inAcme, isFree, isInWindow, isLive, liveDatabase, liveGroup } from "../platform-view";
import type { Scene } from "../scene";
import { type Claim, sentences } from "./claim";
import { edit, organizationSlug, paid, recoverable, unprotectDatabase, unprotectGroup, withoutImport } from "./mend";

/** Returns the refusals to delete an object and to replace it, whichever property would. */
const prevented = ({ kind, name, id }: { kind: string; name: string; id: string }, reason: string): string[] => {
  const old = { title: `${kind} "${name}"`, id, reason };
  const replacements = [false, true].map(
    (isSeeded) => replacementPrevented({ ...old, kind, properties: [""], isRestorable: true, isSeeded }).answer,
  );
  return [deletionPrevented(old).answer, ...replacements.map((text) => text.slice(text.indexOf(old.title)))];
};

/** Refusals caused by the organization's members, plan, groups or databases. */
export const OBJECTS: readonly Claim[] = [
  {
    name: "a member exists already",
    reasons: ({ stage, before }, view) =>
      Object.keys({ ...before.members, ...view.members }).map((username) => ({
        says: keyTakenElsewhere({ title: `member "${username}"`, id: username, isReplacing: false }).answer,
        isTrue: true,
        mend: () =>
          view.members[username] === "owner"
            ? stage.api.member(username, undefined)
            : stage.outside.removeMember({ organizationSlug, username }),
      })),
  },
  {
    name: "an owner",
    reasons: ({ stage }, view) =>
      sentences([ownerNotChanged({ username: "zoe" }), ownerNotRemoved({ username: "zoe" })], {
        isTrue: view.members.zoe === "owner",
        mend: () => stage.api.member("zoe", "member"),
      }),
  },
  {
    name: "an accepted invite",
    reasons: (scene, view) =>
      sentences(
        [acceptedInviteNotChanged({ email: LEA, username: "lea" }), alreadyMember({ email: LEA, username: "lea" })],
        {
          isTrue: "lea" in view.members,
          mend: () => {
            scene.program = withDeclared(scene.program, "lea", undefined);
          },
        },
      ),
  },
  {
    name: "recovery is disabled",
    reasons: (scene, view) =>
      sentences([recoveryDisabledIn({ organization: "acme" }), refuse.recoveryDisabled().message], {
        isTrue: view.organizations.acme?.restores === false,
        mend: () => recoverable(scene),
      }),
  },
  {
    name: "plan",
    reasons: (scene, view) =>
      sentences(
        [
          planHidesDeleted({ organization: "acme" }),
          INVITES_NEED_PLAN,
          failedResponse({ status: 403, error: refuse.paidPlanRequired().message }),
        ],
        {
          isTrue: isFree(view),
          mend: () => paid(scene),
        },
      ),
  },
  {
    name: "never existed, or its five days have passed",
    reasons: (scene, view) =>
      idsIn(scene, view).flatMap((id) => {
        const row = [...view.groups, ...view.databases].find((one) => one.id === id);
        const says = (["database", "group"] as const).flatMap((kind) => [
          objectNotFound({ kind, id, organization: "acme" }),
          objectNotFound({ kind, id, organization: "acme", isKnown: true }),
        ]);
        return sentences(says, {
          isTrue: row === undefined || !inAcme(row, view) || (!isLive(row) && !isInWindow(row, view)),
          mend: () => edit(scene, (declared) => declared.import === id, withoutImport),
        });
      }),
  },
  {
    name: "deleted as something else than the program wants",
    reasons: (scene, view) =>
      differencesIn(scene, view).map(({ title, id, difference, groupId }) => {
        const { property, is } = difference;
        return {
          says: `${operationImpossible({ operation: "restore", object: `${title} (${id})` })}: ${restoreContradiction({ difference })}`,
          isTrue:
            property === "location"
              ? view.groups.some((row) => row.id === id && isInWindow(row, view) && row.location === is)
              : view.databases.some((row) => {
                  const isAsNamed = property === "engine" ? row.engine === is : row.group_id === groupId;
                  return row.id === id && inAcme(row, view) && isAsNamed;
                }),
          mend: () =>
            edit(
              scene,
              ({ import: imported, args }, slot) =>
                args[property] !== undefined && args[property] !== is && [imported, scene.managed(slot)].includes(id),
              (declared) => ({ ...declared, args: { ...declared.args, [property]: is }, dependsOn: undefined }),
            ),
        };
      }),
  },
  {
    name: "the database to be copied is deleted",
    reasons: (scene, view) =>
      view.databases.flatMap(({ id, name, deleted_at: deletedAt }) =>
        deletedAt === null
          ? []
          : sentences(
              [true, false].map((isInStack) => seedSourceDeleted({ name, id, deletedAt, isInStack })),
              // The program needs no change: it declares the database, and the next update restores it.
              { isTrue: [...scene.program.keys()].some((slot) => scene.managed(slot) === id), mend: () => {} },
            ),
      ),
  },
  {
    name: "a database is delete-protected",
    reasons: (scene, view) => {
      const named = namedIn(scene.before, view);
      const groups = named.filter(({ kind }) => kind === "group");
      const says = named
        .filter(({ kind }) => kind === "database")
        .flatMap(({ id, name }) => [
          ...prevented({ kind: "database", name, id }, OBJECT_PROTECTED),
          failedResponse({ status: 403, error: refuse.deleteProtected({ kind: "database", name }).message }),
          ...groups.flatMap((group) => prevented(group, databaseInGroupProtected({ protectedDatabase: { id, name } }))),
        ]);
      return sentences(says, {
        isTrue: liveDatabase(view, (row) => row.delete_protection === 1) !== undefined,
        mend: async () => {
          edit(
            scene,
            ({ type, args }) => type === "DatabaseConfiguration" && args.deleteProtection === true,
            (declared) => ({ ...declared, args: { ...declared.args, deleteProtection: false } }),
          );
          for (const row of view.databases) if (isLive(row) && inAcme(row, view)) await unprotectDatabase(scene, row);
        },
      });
    },
  },
  {
    name: "a group is delete-protected",
    reasons: (scene, view) => {
      const says = namedIn(scene.before, view)
        .filter(({ kind }) => kind === "group")
        .flatMap(({ id, name }) => [
          ...prevented({ kind: "group", name, id }, OBJECT_PROTECTED),
          failedResponse({ status: 403, error: refuse.deleteProtected({ kind: "group", name }).message }),
        ]);
      return sentences(says, {
        isTrue: liveGroup(view, (row) => row.delete_protection === 1) !== undefined,
        mend: async () => {
          edit(
            scene,
            ({ type, args }) => type === "Group" && args.deleteProtection === true,
            (declared) => ({ ...declared, args: { ...declared.args, deleteProtection: false } }),
          );
          for (const row of view.groups) if (isLive(row) && inAcme(row, view)) await unprotectGroup(scene, row);
        },
      });
    },
  },
  {
    name: "the program still declares what is in it",
    reasons: (scene, view) =>
      [...scene.program].flatMap(([slot, { type }]) => {
        const id = scene.managed(slot);
        const named = namedIn(scene.before, view).filter((one) => one.id === id);
        const says = [nounOf({ type }), ...named.map(({ title }) => title)].map(
          (title) => stillDeclaredInside({ kind: "group", inside: `${title} (${id})` }).answer,
        );
        return sentences(says, {
          isTrue: true,
          mend: () => {
            scene.program = withDeclared(scene.program, slot, undefined);
          },
        });
      }),
  },
  {
    name: "a group still holds databases",
    reasons: (scene, view) =>
      namedIn(scene.before, view)
        .filter(({ kind }) => kind === "group")
        .flatMap(({ id, name }) => {
          const live = view.databases.filter((row) => row.group_id === id && isLive(row));
          const foreign = live.filter((row) => !SLOTS.some((slot) => scene.managed(slot) === row.id));
          return [live, foreign].flatMap((rows) =>
            sentences(
              [
                groupNotEmpty({ name, contained: rows, obstacle: undefined }),
                groupNotEmpty({ name, contained: rows, obstacle: planHasNoRecovery({ organization: "acme" }) }),
              ],
              {
                isTrue: rows.length > 0,
                mend: () => removeDatabases(rows, scene),
              },
            ),
          );
        }),
  },
];

/** Deletes databases outside Pulumi, and removes them from the program. */
async function removeDatabases(rows: readonly DatabaseRow[], scene: Scene): Promise<void> {
  for (const row of rows) {
    await unprotectDatabase(scene, row);
    const slot = [...scene.program.keys()].find((one) => scene.managed(one) === row.id);
    if (slot !== undefined) scene.program = withDeclared(scene.program, slot, undefined);
    await scene.stage.outside.deleteDatabaseById({ organizationId: scene.stage.organizationId, databaseId: row.id });
  }
}
