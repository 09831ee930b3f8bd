import { needsOf, type Program } from "../../../kit/laws/declared-program";
import { sameValue } from "../../../kit/lifecycle/inputs/messages";
import { deletionBesideImport, operationImpossible } from "../../../kit/lifecycle/messages";
import { importContradiction, importedTwice, importOverLive } from "../../../kit/lifecycle/restore/messages";
import { nameRestored } from "../../../kit/lifecycle/taken/messages";
import { groupNamePlanned } from "../../../provider/resources/database/messages";
import { restoredNamePlanned } from "../../../provider/resources/group/messages";
import { withDeclared } from "../declarations";
import { ANY, patternOf, WORD, WORDS } from "../message-pattern";
import { isLive } from "../platform-view";
import type { Scene } from "../scene";
import type { Claim } from "./claim";
import { edit, rename, withoutImport } from "./mend";

/** Declares a removed resource again, together with the resources that it depends on. */
function putBack(scene: Scene, slot: string, from: Program): void {
  const declared = from.get(slot);
  if (!declared || scene.program.has(slot)) return;
  for (const needed of needsOf(declared)) putBack(scene, needed, from);
  scene.program = withDeclared(scene.program, slot, declared);
}

/** Refusals caused by the program, for example by an option such as `protect`. */
export const PROGRAM: readonly Claim[] = [
  {
    name: "an import over what is live",
    says: patternOf(importOverLive({ managed: { title: WORDS, id: WORD }, id: WORD })),
    holds: ([, live, wanted], { program }, view) =>
      [...view.groups.filter(isLive), ...view.databases.filter(isLive), ...view.tokens].some(({ id }) => id === live) &&
      [...program.values()].some((declared) => declared.import === wanted),
    mend: ([, live, wanted], scene) =>
      edit(scene, (declared, slot) => declared.import === wanted && scene.managed(slot) === live, withoutImport),
  },
  {
    name: "a deletion beside an import",
    says: patternOf(
      deletionBesideImport({ id: ANY, importedIds: [WORD] }).answer,
      deletionBesideImport({ id: ANY, importedIds: [WORD, WORDS] }).answer,
    ),
    holds: ([, only, first], { program }) => [...program.values()].some(({ import: id }) => id === (only ?? first)),
    // The program needs no change: the next update deletes the resource that this update kept.
    mend: () => {},
  },
  {
    name: "two resources import one object",
    says: patternOf(`${importedTwice({ urn: `${ANY}::${WORD}`, id: WORD }).answer}. `),
    holds: ([, , imported], { program }) =>
      [...program.values()].filter(({ import: id }) => id === imported).length > 1,
    mend: ([, slot = ""], scene) => edit(scene, (_declared, one) => one === slot, withoutImport),
  },
  {
    name: "imported as something else than the program wants",
    says: patternOf(
      importContradiction({ title: WORDS, id: WORD, difference: { property: WORD, is: WORD, wanted: WORDS } }).answer,
    ),
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
    says: patternOf(
      sameValue({ urn: `${ANY}::${WORD}`, property: "name" }),
      sameValue({ urn: `${ANY}::${WORD}`, property: "database" }),
    ),
    holds: ([, named, part = ""], { program }) => program.has(named ?? part),
    mend: ([, named, part = ""], scene) => {
      if (named !== undefined) rename(scene, (_declared, one) => one === named);
      else scene.program = withDeclared(scene.program, part, undefined);
    },
  },
  {
    name: "a new group under the name of one that comes back",
    says: patternOf(
      `${groupNamePlanned({ groupName: ANY, groupId: ANY, urn: `${ANY}::${WORD}`, isInStack: true }).split(". ")[0]}. `,
      restoredNamePlanned({ name: ANY, urn: `${ANY}::${WORD}` }),
    ),
    holds: ([, one, other], { program }) => program.has(one ?? other ?? ""),
    mend: ([, one, other], scene) => rename(scene, (_declared, slot) => slot === (one ?? other)),
  },
  {
    name: "a creation under the name of what this update restores",
    says: patternOf(
      `${operationImpossible({ operation: "create", object: `${ANY} "${WORD}"` })}: ${nameRestored({ kind: ANY, id: ANY, isReplaced: false }).answer}`,
    ),
    holds: ([, name], { program }) => [...program.values()].some(({ args }) => args.name === name),
    mend: ([, name], scene) =>
      rename(scene, ({ args }, slot) => args.name === name && scene.managed(slot) === undefined),
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
];
