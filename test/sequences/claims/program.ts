import {
  deletionBesideImport,
  operationImpossible,
  replacementByImport,
  sameGeneratedName,
  sameValue,
} from "../../../kit/lifecycle/messages";
import { importContradiction, importedTwice, importOverLive } from "../../../kit/lifecycle/restore/messages";
import { nameRestored } from "../../../kit/lifecycle/taken/messages";
import {
  groupNamePlanned,
  KEPT_DATA_DELETED_FIRST,
  writesBlockedAlready,
} from "../../../provider/resources/database/messages";
import { restoredNamePlanned } from "../../../provider/resources/group/messages";
import { type Declared, needsOf, type Program } from "../../fake-engine/declared-program";
import { withDeclared } from "../declarations";
import { differencesIn, idsIn, namedIn, urnOf } from "../named";
import { inAcme, isLive } from "../platform-view";
import type { Scene } from "../scene";
import { type Claim, sentences } from "./claim";
import { edit, keepInGroup, rename, withoutImport } from "./mend";

/** Declares a removed resource again, together with the resources that it depends on. */
function putBack(scene: Scene, slot: string, from: Program): void {
  const declared = from.get(slot);
  if (!declared || scene.program.has(slot)) return;
  for (const needed of needsOf(declared)) putBack(scene, needed, from);
  scene.program = withDeclared(scene.program, slot, declared);
}

/** Returns the ids that the program imports, each with the resource that imports it. */
const importsIn = ({ program }: Scene): { slot: string; type: string; id: string }[] =>
  [...program].flatMap(([slot, { type, import: id }]) => (id === undefined ? [] : [{ slot, type, id }]));

/** Returns all non-empty lists of different elements. */
const listsOf = <T>(all: readonly T[]): T[][] =>
  all.flatMap((one) => [[one], ...listsOf(all.filter((other) => other !== one)).map((rest) => [one, ...rest])]);

/** Refusals caused by the program, for example by an option such as `protect`. */
export const PROGRAM: readonly Claim[] = [
  {
    name: "an import over what is live",
    reasons: (scene, view) =>
      namedIn(scene.before, view).flatMap((held) =>
        importsIn(scene).map(({ id }) => ({
          says: importOverLive({ managed: held, id }),
          isTrue:
            view.tokens.some((row) => row.id === held.id) ||
            [...view.groups, ...view.databases].some((row) => row.id === held.id && isLive(row)),
          mend: () =>
            edit(scene, (declared, slot) => declared.import === id && scene.managed(slot) === held.id, withoutImport),
        })),
      ),
  },
  {
    name: "a deletion beside an import",
    reasons: (scene, view) =>
      ["Group", "Database"].flatMap((type) => {
        const imports = importsIn(scene).flatMap((one) => (one.type === type ? [one.id] : []));
        const says = idsIn(scene, view).flatMap((id) =>
          listsOf([...new Set(imports)]).map((importedIds) => deletionBesideImport({ id, importedIds }).answer),
        );
        // The program needs no change: the next update deletes the resource that this update kept.
        return sentences(says, { isTrue: true, mend: () => {} });
      }),
  },
  {
    name: "a replacement by an import",
    reasons: (scene, view) => {
      const imports = importsIn(scene).filter(({ type }) => type === "Group");
      return view.groups.flatMap(({ id: from }) =>
        imports.map(({ id: to }) => ({
          says: replacementByImport({ kind: "database", moved: { kind: "group", from, to }, property: "group" }).answer,
          isTrue: view.databases.some((row) => row.group_id === from && isLive(row) && inAcme(row, view)),
          mend: () => keepInGroup(scene, view, from),
        })),
      );
    },
  },
  {
    name: "a copy of what is deleted first, or blocked already",
    reasons: (scene, view) => {
      const keepsData = ({ args }: Declared) => args.keepData === true;
      const mend = () =>
        edit(scene, keepsData, (declared) => ({ ...declared, args: { ...declared.args, keepData: false } }));
      const isKept = [...scene.program.values()].some(keepsData);
      const isBlocked = (id: string) => view.databases.some((row) => row.id === id && row.block_writes === 1);
      const blocked = namedIn(scene.before, view).map(({ name, id }) => ({
        says: writesBlockedAlready({ name, id }),
        isTrue: isKept && isBlocked(id),
        mend,
      }));
      return [{ says: KEPT_DATA_DELETED_FIRST, isTrue: isKept, mend }, ...blocked];
    },
  },
  {
    name: "two resources import one object",
    reasons: (scene) =>
      importsIn(scene).map(({ slot, id }) => ({
        says: importedTwice({ urn: urnOf(scene, slot), id }).answer,
        isTrue: importsIn(scene).filter((one) => one.id === id).length > 1,
        mend: () => edit(scene, (_declared, one) => one === slot, withoutImport),
      })),
  },
  {
    name: "imported as something else than the program wants",
    reasons: (scene, view) =>
      differencesIn(scene, view).map(({ slot, title, id, difference }) => ({
        says: importContradiction({ title, id, difference }).answer,
        isTrue: scene.program.get(slot)?.import === id,
        mend: () =>
          edit(
            scene,
            (one) => one.import === id,
            (one) => ({ ...one, args: { ...one.args, [difference.property]: difference.is }, dependsOn: undefined }),
          ),
      })),
  },
  {
    name: "two resources claim one value",
    reasons: (scene) =>
      [...scene.program].flatMap(([slot, { args }]) => [
        ...sentences(
          [
            sameValue({ urn: urnOf(scene, slot), property: "name" }),
            sameGeneratedName({ urn: urnOf(scene, slot), name: String(args.name), isUnchanged: true }),
          ],
          { isTrue: true, mend: () => rename(scene, (_declared, one) => one === slot) },
        ),
        {
          says: sameValue({ urn: urnOf(scene, slot), property: "database" }),
          isTrue: true,
          mend: () => {
            scene.program = withDeclared(scene.program, slot, undefined);
          },
        },
      ]),
  },
  {
    name: "a new group under the name of one that comes back",
    reasons: (scene, view) =>
      [...scene.program.keys()].flatMap((slot) => {
        const urn = urnOf(scene, slot);
        const says = namedIn(scene.before, view).flatMap(({ id: groupId, name: groupName }) => [
          groupNamePlanned({ groupName, groupId, urn, isInStack: true }),
          groupNamePlanned({ groupName, groupId, urn, isInStack: false }),
          restoredNamePlanned({ name: groupName, urn }),
        ]);
        return sentences(says, { isTrue: true, mend: () => rename(scene, (_declared, one) => one === slot) });
      }),
  },
  {
    name: "a creation under the name of what this update restores",
    reasons: (scene, view) =>
      [...scene.program.values()].flatMap(({ args: { name } }) =>
        namedIn(scene.before, view).map(({ kind, id }) => ({
          says: `${operationImpossible({ operation: "create", object: `${kind} "${String(name)}"` })}: ${nameRestored({ kind, id, isReplaced: false }).answer}`,
          isTrue: true,
          mend: () => rename(scene, ({ args }, slot) => args.name === name && scene.managed(slot) === undefined),
        })),
      ),
  },
  {
    name: "protected by Pulumi",
    reasons: (scene) =>
      sentences(["currently marked for protection", "because it is protected"], {
        isTrue: [...scene.program.values()].some(({ protect }) => protect) || scene.wasProtected.size > 0,
        mend: () => {
          for (const [slot, program] of scene.wasProtected) putBack(scene, slot, program);
          edit(
            scene,
            ({ protect }) => protect === true,
            (declared) => ({ ...declared, protect: false }),
          );
        },
      }),
  },
  {
    name: "an imported one may not be replaced",
    reasons: (scene) => [
      {
        says: "previously-imported resources that still specify an ID may not be replaced",
        isTrue: importsIn(scene).length > 0,
        mend: () => edit(scene, ({ import: id }) => id !== undefined, withoutImport),
      },
    ],
  },
];
