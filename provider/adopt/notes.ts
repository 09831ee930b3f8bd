import { importedWithoutSecret } from "../../kit/lifecycle/restore/messages";
import { nounOf } from "../../kit/phrases";
import { isGroup, type Thing } from "../inventory/things";
import { resources } from "../resources/list";
import { type DeletedInventory, restoredWith } from "./deleted";
import { sharedNames } from "./import-file";
import type { Inventory, Omission } from "./inventory";
import {
  pendingRestorations,
  restorableBriefly,
  restoringRefused,
  sharedName,
  skippedObject,
  unlistedTypes,
  writtenImportFile,
} from "./messages";
import type { DeletedReport } from "./reports";

/** Returns notes about problems that the user would otherwise notice only after the import. */
export function notesOn(
  { things, leftOut }: Inventory,
  { unmanaged, out }: { readonly unmanaged?: true; readonly out?: string },
): string[] {
  const left = [...unlistedNotes(leftOut), ...skippedNotes(leftOut)];
  if (unmanaged) return left;
  return [
    ...left,
    ...missingSecretNotes(things),
    ...sharedNames(things).map((name) => sharedName({ name })),
    ...restoringNotes(things),
    ...(out === undefined ? [] : [writtenImportFile({ file: out, count: things.length })]),
  ];
}

/** Returns notes about types whose objects could not be listed. */
function unlistedNotes(leftOut: readonly Omission[]): string[] {
  const whole = leftOut.filter(({ name }) => name === undefined);
  const byReason = Map.groupBy(whole, ({ reason }) => reason);
  return [...byReason].map(([reason, types]) => unlistedTypes({ types: types.map(({ type }) => type), reason }));
}

const skippedNotes = (leftOut: readonly Omission[]): string[] =>
  leftOut.flatMap(({ type, name, id, reason }) =>
    name === undefined || id === undefined ? [] : [skippedObject({ type, name, id, reason })],
  );

/**
 * Returns notes about secret outputs that stay empty after an import, because the platform no longer shows their
 * values.
 */
const missingSecretNotes = (things: readonly Thing[]): string[] =>
  resources
    .filter((resource) => things.some((thing) => thing.resource === resource && !thing.recorded))
    .flatMap((resource) =>
      resource.properties.shownOnce.map((property) => importedWithoutSecret({ kind: nounOf(resource), property })),
    );

function restoringNotes(things: readonly Thing[]): string[] {
  const { length: count } = things.filter(({ deletedAt }) => deletedAt !== undefined);
  return count === 0 ? [] : [pendingRestorations({ count })];
}

/** Returns notes about types that could not be listed, and a note if no object can be restored at present. */
export const notesOnDeleted = ({ leftOut, obstacle }: DeletedInventory): string[] => [
  ...unlistedNotes(leftOut),
  ...(obstacle === undefined ? [] : [restoringRefused({ reason: obstacle })]),
];

/**
 * Returns a sentence about each object whose recovery window ends within this duration. Omits databases that are
 * restored together with a reported group.
 *
 * @param duration In milliseconds.
 */
export function notesOnExpiring({ things, managed }: DeletedReport, duration: number): string[] {
  const soon = things.filter(({ secondsLeft }) => secondsLeft * 1000 <= duration);
  const groups = new Set(soon.filter(isGroup).map(({ id }) => id));
  return soon
    .filter((thing) => !groups.has(restoredWith(thing) ?? ""))
    .map((thing) => restorableBriefly({ type: thing.resource.type, ...thing, stacks: managed?.stacksOf(thing) }));
}
