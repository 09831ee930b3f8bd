import {
  differenceKept,
  nameOfAnother,
  referenceOutdated,
  restoredWithDifference,
} from "../../kit/lifecycle/restore/messages";
import type { Program } from "../fake-engine/declared-program";
import { withArgument } from "./declarations";
import { differencesIn, namedIn, type PropertyDifference } from "./named";
import type { Scene } from "./scene";
import type { PlatformView } from "./sequence-fixture";

/** Returns the program with all changes that the output advises, or the unchanged program if it advises none. */
export function advisedBy(output: string, scene: Scene, view: PlatformView): Program {
  const advised = differencesIn(scene, view).filter((one) =>
    warningsOf(one, scene, view).some((warning) => output.includes(warning)),
  );
  let { program } = scene;
  for (const { slot, id, difference } of advised) {
    const { property, is } = difference;
    if (scene.managed(slot) === id && program.get(slot)?.args[property] !== is)
      program = withArgument(program, slot, property, is);
  }
  return program;
}

/** Returns the warnings that advise writing the value on the platform instead of the program's value. */
function warningsOf(
  { title, id, difference, groupId }: PropertyDifference,
  { before }: Scene,
  view: PlatformView,
): string[] {
  const { property, is, wanted } = difference;
  const groups = namedIn(before, view).filter(({ kind }) => kind === "group");
  const successors = groups
    .filter(({ name }) => groupId !== undefined && name === wanted)
    .map(({ id: successor }) =>
      nameOfAnother({ kind: "group", name: String(wanted), id: successor, own: groupId ?? "" }),
    );
  const referred = groups.filter((group) => group.id === groupId && group.name === is);
  return [
    differenceKept({ title, id, difference }),
    ...successors.map((successor) => differenceKept({ title, id, difference, nameOfAnother: successor })),
    restoredWithDifference({ title, id, difference }),
    ...referred.map((group) => referenceOutdated({ title, id, referred: group, property, wanted })),
  ];
}
