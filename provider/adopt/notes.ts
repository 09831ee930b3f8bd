import { resources } from "../resources/list";
import { sharedNames } from "./import-file";
import type { Inventory, LeftOut } from "./inventory";
import type { Thing } from "./thing";

/** Returns notes about problems that the user would otherwise notice too late. */
export function notesOn(
  { things, leftOut }: Inventory,
  { unmanaged, out }: { readonly unmanaged?: true; readonly out?: string },
): string[] {
  const left = [...notLookedAt(leftOut), ...unable(leftOut)];
  if (unmanaged) return left;
  return [
    ...left,
    ...notImported(things),
    ...sharedNames(things).map(
      (name) =>
        `Two things are called "${name}". Pulumi's generator takes such names for references, finds a circle, and then writes every id as a text; \`parent\` keeps the order.`,
    ),
    ...restored(things),
    ...(out === undefined
      ? []
      : [`${out} has ${things.length} resources: \`pulumi import --file ${out}\` imports them.`]),
  ];
}

function notLookedAt(leftOut: readonly LeftOut[]): string[] {
  const whole = leftOut.filter(({ name }) => name === undefined);
  const reasons = [...new Set(whole.map(({ reason }) => reason))];
  const typesOf = (why: string) => whole.filter(({ reason }) => reason === why).map(({ type }) => type);
  return reasons.map((reason) => `Not looked at: ${typesOf(reason).join(", ")}: ${reason}.`);
}

const unable = (leftOut: readonly LeftOut[]): string[] =>
  leftOut.flatMap(({ type, name, id, reason }) =>
    name === undefined ? [] : [`Left out: ${type} "${name}" (${id}): ${reason}.`],
  );

/** Lists secret outputs that the import cannot fill in because the platform no longer shows them. */
const notImported = (things: readonly Thing[]): string[] =>
  resources
    .filter((resource) => things.some((thing) => thing.resource === resource))
    .flatMap((resource) =>
      resource.shownOnce.map(
        (property) => `Not imported: \`${property}\` of each ${resource.type}; the platform shows it only at creation.`,
      ),
    );

function restored(things: readonly Thing[]): string[] {
  const { length } = things.filter(({ deletedAt }) => deletedAt !== undefined);
  return length === 0 ? [] : [`The first \`pulumi up\` after the import restores what is deleted of them: ${length}.`];
}
