import type { Declared } from "../../../kit/laws/declared-program";
import type { GroupRow } from "../../../platform/reference/store/schema";
import { groupDeletedLater, groupNameReused } from "../../../provider/resources/database/messages";
import { availableGroups, groupNotFound } from "../../../provider/resources/group/messages";
import { ANY, patternOf, WORD } from "../message-pattern";
import { isInWindow, liveDatabase, liveGroup } from "../platform-view";
import type { Claim } from "./claim";
import { bringBack, edit, makeWay, manages, organizationSlug, rename, unprotectDatabase, withoutImport } from "./mend";

/** Refusals caused by the names of groups, databases and API tokens. */
export const NAMES: readonly Claim[] = [
  {
    name: "the name of a group is taken",
    says: patternOf(
      /group name "(\S+)" is already in use by ([\w-]{36})/,
      groupNameReused({ groupName: WORD, groupId: ANY, successor: WORD }),
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
          // Stops the resource that manages `row` from importing another database of the same name.
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
    // A replaced token keeps its name until the end of the update, after the other resource has asked for the name.
    name: "the name of an API token is taken",
    says: /API token name "(\S+)" is already in use by ([\w-]{22}),/,
    holds: ([, name, id], { before }, view) =>
      [before, view].some(({ tokens }) => tokens.some((row) => row.id === id && row.name === name)),
    mend: ([, name, id], scene) =>
      rename(scene, ({ type, args }, slot) => type === "ApiToken" && args.name === name && scene.managed(slot) !== id),
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
      `${groupNotFound({ wanted: WORD, organization: "acme" })}. ${availableGroups({ known: [] })}`,
      `${groupNotFound({ wanted: WORD, organization: "acme" })}. Available groups`,
    ),
    // True if the group was missing before or after the run. The engine compares resources in any order, so one
    // resource may report a missing group before another resource of the same run restores that group.
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
      const holder = deleted && liveGroup(view, (row) => row.name === deleted.name);
      if (holder) await makeWay(scene, holder);
      if (deleted) await bringBack(said, scene, deleted.id);
      else await scene.stage.outside.createGroup({ organizationSlug, body: { name, location: "aws-us-east-1" } });
    },
  },
];
