import { nameInUseByReplaced, nameInUseInStack } from "../../../kit/lifecycle/taken/messages";
import { newNameInUse } from "../../../kit/messages";
import type { DatabaseRow, GroupRow } from "../../../platform/reference/store/schema";
import { groupDeletedLater, groupNameReused } from "../../../provider/resources/database/messages";
import { availableGroups, groupNotFound } from "../../../provider/resources/group/messages";
import type { Declared } from "../../fake-engine/declared-program";
import { idsIn, namedIn, urnOf } from "../named";
import { inAcme, isInWindow, isLive, liveDatabase, liveGroup } from "../platform-view";
import type { Scene } from "../scene";
import type { PlatformView } from "../sequence-fixture";
import { type Claim, sentences } from "./claim";
import { bringBack, edit, makeWay, manages, organizationSlug, rename, unprotectDatabase, withoutImport } from "./mend";

/** Refusals caused by the names of groups, databases and API tokens. */
export const NAMES: readonly Claim[] = [
  {
    name: "the name of a group is taken",
    reasons: (scene, view) =>
      view.groups
        .filter((row) => isLive(row) && inAcme(row, view))
        .flatMap((row) => {
          const says = [
            newNameInUse({ kind: "group", name: row.name, id: row.id }).answer,
            ...view.groups.map(({ id }) => groupNameReused({ groupName: row.name, groupId: id, successor: row.id })),
          ];
          return sentences(says, { isTrue: true, mend: () => makeWay(scene, row) });
        }),
  },
  {
    name: "the program gives the name of a deleted group to another group",
    reasons: (scene, view) =>
      [...scene.program].flatMap(([slot, { type, args }]) => {
        const [name, successor] = [args.name, scene.managed(slot)];
        if (type !== "Group" || typeof name !== "string" || successor === undefined) return [];
        const says = view.groups.map(({ id }) =>
          groupNameReused({ groupName: name, groupId: id, successor, isPlanned: true }),
        );
        return sentences(says, { isTrue: true, mend: () => rename(scene, (_declared, other) => other === slot) });
      }),
  },
  {
    name: "the name of a database is taken",
    reasons: (scene, view) =>
      view.databases
        .filter((row) => isLive(row) && inAcme(row, view))
        .map((row) => ({
          says: newNameInUse({ kind: "database", name: row.name, id: row.id }).answer,
          isTrue: true,
          mend: () => freeDatabaseName(row, scene, view),
        })),
  },
  {
    // A replaced token keeps its name until the end of the update, after the other resource has asked for the name.
    name: "the name of an API token is taken",
    reasons: (scene, view) =>
      namedIn(scene.before, view).flatMap(({ kind, name, id }) => {
        if (kind !== "API token") return [];
        const says = [
          ...[...scene.program.keys()].map((slot) => nameInUseInStack({ kind, name, id, urn: urnOf(scene, slot) })),
          ...[true, false].map((isRead) => nameInUseByReplaced({ kind, name, id, isRead })),
        ];
        return sentences(
          says.map(({ answer }) => answer),
          {
            isTrue: true,
            mend: () =>
              rename(
                scene,
                ({ type, args }, slot) => type === "ApiToken" && args.name === name && scene.managed(slot) !== id,
              ),
          },
        );
      }),
  },
  {
    name: "its group was deleted after it",
    reasons: (scene, view) =>
      view.groups
        .filter((row) => isInWindow(row, view))
        .map(({ id, name }) => ({
          says: groupDeletedLater({ groupName: name, groupId: id }),
          isTrue: true,
          mend: async () => {
            const holder = liveGroup(view, (row) => row.name === name);
            if (holder) await makeWay(scene, holder);
            await bringBack(scene, id);
          },
        })),
  },
  {
    name: "no such group",
    reasons: (scene, view) => {
      const { before, program } = scene;
      const groupNames = [before, view].flatMap(({ groups }) => groups.map(({ name }) => name));
      // A message lists all live groups. Only the first is compared, because the update may have changed the others.
      const lists = [
        availableGroups({ known: [] }),
        ...new Set(groupNames.map((name) => availableGroups({ known: [name] }))),
      ];
      const literals = [...program.values()].flatMap(({ args: { group } }) =>
        typeof group === "string" ? [group] : [],
      );
      return [...new Set([...literals, ...groupNames, ...idsIn(scene, view)])].flatMap((wanted) => {
        const isNamed = (row: GroupRow) => row.name === wanted || row.id === wanted;
        return sentences(
          lists.map((list) => `${groupNotFound({ wanted, organization: "acme" })}. ${list}`),
          {
            // True if the group was missing before or after the run. The engine compares resources in any order, so one
            // resource may report a missing group before another resource of the same run restores that group.
            isTrue: [before, view].some((then) => liveGroup(then, isNamed) === undefined),
            mend: async () => {
              if (liveGroup(view, isNamed)) return;
              const deleted = view.groups.find((row) => isNamed(row) && isInWindow(row, view));
              const holder = deleted && liveGroup(view, (row) => row.name === deleted.name);
              if (holder) await makeWay(scene, holder);
              if (deleted) await bringBack(scene, deleted.id);
              else {
                const body = { name: wanted, location: "aws-us-east-1" };
                await scene.stage.outside.createGroup({ organizationSlug, body });
              }
            },
          },
        );
      });
    },
  },
];

/** Renames the resources that want the database's name. If the program does not manage the database, deletes it. */
async function freeDatabaseName(row: DatabaseRow, scene: Scene, view: PlatformView): Promise<void> {
  if (!manages(scene, row.id)) {
    await unprotectDatabase(scene, row);
    await scene.stage.outside.deleteDatabaseById({ organizationId: scene.stage.organizationId, databaseId: row.id });
    return;
  }
  const others = (declared: Declared, slot: string) => declared.type === "Database" && scene.managed(slot) !== row.id;
  const wanting = (declared: Declared, slot: string) => others(declared, slot) && declared.args.name === row.name;
  const waiting = (_declared: Declared, slot: string) =>
    !liveDatabase(view, ({ id: live }) => live === scene.managed(slot));
  const some = [...scene.program].some(([slot, declared]) => wanting(declared, slot));
  rename(scene, some ? wanting : (declared, slot) => others(declared, slot) && waiting(declared, slot));
  if (![...scene.program].some(([slot, declared]) => others(declared, slot)) || !some)
    // Stops the resource that manages `row` from importing another database of the same name.
    edit(
      scene,
      (declared, slot) => scene.managed(slot) === row.id && declared.import !== undefined && declared.import !== row.id,
      withoutImport,
    );
}
