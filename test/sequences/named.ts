import type { ShownDifference } from "../../kit/lifecycle/properties";
import { nounOf } from "../../kit/phrases";
import type { DatabaseRow, GroupRow, TokenRow } from "../../platform/reference/store/schema";
import { isOutput } from "../fake-engine/declared-program";
import type { Scene } from "./scene";
import type { PlatformView } from "./sequence-fixture";

type Row =
  | { readonly kind: "group"; readonly row: GroupRow }
  | { readonly kind: "database"; readonly row: DatabaseRow }
  | { readonly kind: "API token"; readonly row: TokenRow };

/** An object of the platform under one of its names. */
export type NamedObject = Row & { readonly id: string; readonly name: string; readonly title: string };

/**
 * Returns all groups, databases and API tokens, each once for every name that it has in one of the views. An update can
 * report an object under the name that it had before, or that the same update has given to it.
 */
export function namedIn(...views: readonly PlatformView[]): NamedObject[] {
  const all = views.flatMap(({ groups, databases, tokens }) => [
    ...groups.map((row) => ({ kind: "group" as const, row })),
    ...databases.map((row) => ({ kind: "database" as const, row })),
    ...tokens.map((row) => ({ kind: "API token" as const, row })),
  ]);
  const named = all.map((one) => ({
    ...one,
    id: one.row.id,
    name: one.row.name,
    title: `${one.kind} "${one.row.name}"`,
  }));
  return [...new Map(named.map((one) => [`${one.id} ${one.name}`, one])).values()];
}

/** Returns the ids of all groups, databases and API tokens, and of what the program imports or manages. */
export const idsIn = ({ program, managed, before }: Scene, view: PlatformView): string[] => {
  const rows = [before, view].flatMap(({ groups, databases, tokens }) => [...groups, ...databases, ...tokens]);
  const declared = [...program].flatMap(([slot, { import: id }]) => [id, managed(slot)]);
  return [...new Set([...rows.map(({ id }) => id), ...declared.filter((id) => id !== undefined)])];
};

/** A property of a resource whose value on the platform may differ from the program, as a message can show it. */
export interface PropertyDifference {
  readonly slot: string;
  readonly title: string;
  readonly id: string;
  readonly difference: ShownDifference & { readonly is: string };
  /** Id of the group that `difference.is` names, if the property refers to a group. */
  readonly groupId?: string;
}

/** Returns every difference in a name, location or group that a message about a resource of the program can report. */
export function differencesIn(scene: Scene, view: PlatformView): PropertyDifference[] {
  const { program, managed, before } = scene;
  const named = namedIn(before, view);
  return [...program].flatMap(([slot, declared]) =>
    [declared.import, managed(slot)].flatMap((id) => {
      const own = named.filter((one) => one.id === id);
      const titles = [...own.map(({ title }) => title), nounOf(declared)];
      return ["name", "location", "group", "engine"].flatMap((property) =>
        valuesOf(property, own, named).flatMap(({ is, groupId }) =>
          wantedOf(property, slot, scene, named).flatMap((wanted) =>
            titles.map((title) => ({ slot, title, id: id ?? "", difference: { property, is, wanted }, groupId })),
          ),
        ),
      );
    }),
  );
}

/** Returns the values that an object may have on the platform. */
function valuesOf(
  property: string,
  own: readonly NamedObject[],
  all: readonly NamedObject[],
): { readonly is: string; readonly groupId?: string }[] {
  if (property === "name") return own.map(({ name }) => ({ is: name }));
  if (property === "location") return own.flatMap(({ kind, row }) => (kind === "group" ? [{ is: row.location }] : []));
  if (property === "engine") return own.flatMap(({ kind, row }) => (kind === "database" ? [{ is: row.engine }] : []));
  return all.flatMap(({ kind, id, name }) =>
    kind === "group"
      ? [
          { is: id, groupId: id },
          { is: name, groupId: id },
        ]
      : [],
  );
}

/** Returns the values that the program may set. The engine resolves an output to the id of a group. */
function wantedOf(
  property: string,
  slot: string,
  { program, recordedName }: Scene,
  all: readonly NamedObject[],
): unknown[] {
  const value = program.get(slot)?.args[property];
  if (isOutput(value)) return all.flatMap(({ kind, id }) => (kind === "group" ? [id] : []));
  const given = value ?? (property === "name" ? recordedName(slot) : undefined);
  return given === undefined ? [] : [given];
}

/** Returns the URN of a resource in the stack of a sequence. */
export const urnOf = ({ program }: Scene, slot: string): string =>
  `urn:pulumi:dev::test::dbplatform:index:${program.get(slot)?.type}::${slot}`;
