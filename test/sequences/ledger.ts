import { expect } from "vitest";
import { keptDespiteImport } from "../../kit/lifecycle/messages";
import type { DatabaseRow, GroupRow } from "../../platform/reference/store/schema";
import { type Declared, isOutput, type Program } from "../fake-engine/declared-program";
import { ALL } from "./declarations";
import type { StackResource } from "./driver";
import { idsIn, namedIn } from "./named";
import { inAcme, isInWindow, isLive } from "./platform-view";
import type { Scene } from "./scene";
import type { PlatformView } from "./sequence-fixture";

interface Noted {
  readonly before: PlatformView;
  readonly after: PlatformView;
  readonly wasManaged: ReadonlyMap<string, StackResource>;
  readonly managed: ReadonlyMap<string, StackResource>;
  readonly scene: Scene;
  readonly output: string;
  readonly settled: boolean;
}

/**
 * Types of the resources that must not be lost. Configurations are omitted, because a configuration shares the id of
 * its database.
 */
const OBJECTS: readonly string[] = ["Database", "Group"];

/** Records which resources the runs create, delete and keep. */
export class Ledger {
  readonly #made = new Set<string>();
  /** The declared values (see `wishOf`) as of the last successful run, by logical name. */
  #wishes: ReadonlyMap<string, string> = new Map();
  readonly #touched = new Set<string>();
  /** The ids of what the program has asked to replace. A later run may delete it. */
  readonly #replaced = new Set<string>();

  note({ before, after, wasManaged, managed, scene, output, settled }: Noted): void {
    const wishes = new Map(
      [...scene.program].map(([slot, one]) => [slot, wishOf(one, wasManaged, scene.program, before)]),
    );
    for (const slot of ALL.keys()) if (wishes.get(slot) !== this.#wishes.get(slot)) this.#touched.add(slot);
    const ids = (view: PlatformView) => [...view.groups, ...view.databases].filter(isLive).map(({ id }) => id);
    const [were, are] = [new Set(ids(before)), new Set(ids(after))];
    const known = new Set([...before.groups, ...before.databases].map(({ id }) => id));
    for (const id of are) if (!known.has(id)) this.#made.add(id);
    const tokensBefore = new Set(before.tokens.map(({ id }) => id));
    for (const { id } of after.tokens) if (!tokensBefore.has(id)) this.#made.add(id);
    for (const { id } of managed.values()) this.#made.add(id);
    for (const { title, id } of namedIn(before, after))
      for (const importedId of idsIn(scene, after))
        for (const isDeclared of [true, false])
          if (output.includes(keptDespiteImport({ title, id, importedId, isDeclared }))) this.#made.delete(id);
    for (const id of scene.revived) if (![...managed.values()].some((one) => one.id === id)) this.#made.delete(id);
    // Ignores databases that came back only because their group was restored.
    for (const id of are)
      if (known.has(id) && !were.has(id) && ![...managed.values()].some((one) => one.id === id)) this.#made.delete(id);

    this.#mustNotDestroy(before, are, wasManaged, scene);
    for (const [slot, { id }] of wasManaged)
      if (this.#touched.has(slot) && managed.has(slot) && managed.get(slot)?.id !== id) this.#replaced.add(id);
    if (!settled) return;
    this.#mustKeep(before, wasManaged, managed, scene);
    this.#touched.clear();
    this.#wishes = new Map([...scene.program].map(([slot, one]) => [slot, wishOf(one, managed, scene.program, after)]));
  }

  /** Asserts that a run deletes a database or group only if the program asks for it. */
  #mustNotDestroy(
    before: PlatformView,
    are: ReadonlySet<string>,
    wasManaged: ReadonlyMap<string, StackResource>,
    { program, stage }: Scene,
  ): void {
    const gone = [...before.databases, ...before.groups].filter(
      (row) => isLive(row) && !are.has(row.id) && !stage.deletedMeanwhile.has(row.id),
    );
    for (const row of gone) {
      const slot = [...wasManaged].find(([, one]) => one.id === row.id && OBJECTS.includes(one.type))?.[0];
      const forced =
        "group_id" in row &&
        [...wasManaged].some(([, one]) => one.id === row.group_id && one.outputs.forceDestroy === true);
      // Skips groups that no declaration manages. Such groups are empty, and a later run deletes them.
      if (slot === undefined && !("group_id" in row)) continue;
      const asked = slot !== undefined && (!program.has(slot) || this.#touched.has(slot));
      expect(
        asked || forced || (slot === undefined && (this.#made.has(row.id) || this.#replaced.has(row.id))),
        `destroyed without being asked: ${JSON.stringify(row)}`,
      ).toBe(true);
    }
  }

  /** Asserts that an unchanged declaration still manages the same group or database, if it was live or restorable. */
  #mustKeep(
    before: PlatformView,
    wasManaged: ReadonlyMap<string, StackResource>,
    managed: ReadonlyMap<string, StackResource>,
    { program }: Scene,
  ): void {
    for (const [slot, { id, type }] of wasManaged) {
      if (!program.has(slot) || this.#touched.has(slot) || !OBJECTS.includes(type)) continue;
      const row = [...before.databases, ...before.groups].find((one) => one.id === id);
      if (!row || !canCome(row, before)) continue;
      expect(managed.get(slot)?.id, `another database in place of ${JSON.stringify(row)}`).toBe(id);
    }
  }

  /** Returns the groups, databases and tokens that a run has created and that no resource manages any more. */
  leftBehind(view: PlatformView, managed: ReadonlyMap<string, StackResource>): unknown[] {
    const ids = new Set([...managed.values()].map(({ id }) => id));
    return [...view.groups.filter(isLive), ...view.databases.filter(isLive), ...view.tokens].filter(
      (row) =>
        this.#made.has(row.id) &&
        !ids.has(row.id) &&
        (!("organization_id" in row) || row.organization_id === view.organizations.acme?.id),
    );
  }
}

const canCome = (row: DatabaseRow | GroupRow, view: PlatformView): boolean =>
  inAcme(row, view) && (isLive(row) || isInWindow(row, view));

/**
 * Returns, as JSON, the declared values that may require a replacement if they change, such as a group's location or a
 * database's name. Generated names are not included.
 */
function wishOf(
  { type, args, import: id }: Declared,
  managed: ReadonlyMap<string, StackResource>,
  program: Program,
  view: PlatformView,
): string {
  const group = args.group === undefined ? undefined : groupOf(args.group, managed, view);
  const of = isOutput(args.group) ? program.get(args.group.of) : undefined;
  const own = of && wishOf(of, managed, program, view);
  return JSON.stringify([type, type === "Group" ? args.location : args.name, args.engine, id, group, own]);
}

function groupOf(value: unknown, managed: ReadonlyMap<string, StackResource>, view: PlatformView): string {
  if (isOutput(value)) return managed.get(value.of)?.id ?? value.of;
  const live = view.groups.find(
    (row) =>
      isLive(row) && row.organization_id === view.organizations.acme?.id && (row.name === value || row.id === value),
  );
  return live?.id ?? String(value);
}
