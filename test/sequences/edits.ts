import { type Declared, isOutput, type Program, type Value } from "../fake-engine/declared-program";
import { ALL, NAMES, SLOTS, withArgument, withDeclared } from "./declarations";
import { isLive } from "./platform-view";
import { pick, type Scene, type SequenceStep } from "./scene";
import type { PlatformView } from "./sequence-fixture";

const slotsOf = (program: Program, ...types: string[]): string[] =>
  [...program].filter(([, { type }]) => types.includes(type)).map(([slot]) => slot);

type Edit = (program: Program, step: SequenceStep, scene: Scene, view: PlatformView) => Program;

/**
 * Returns every value that a program can use to refer to a group. If the program declares the group, the value comes
 * with the logical name of that declaration, for `dependsOn`.
 */
const groupChoices = (program: Program, scene: Scene, view: PlatformView): [Value, string | undefined][] => {
  const acme = view.organizations.acme?.id;
  const live = view.groups.filter((group) => isLive(group) && group.organization_id === acme);
  const ours = slotsOf(program, "Group").filter((slot) => slot === "north" || slot === "south");
  const literals = live.flatMap((group): [Value, string | undefined][] => {
    const after = ours.find((slot) => scene.managed(slot) === group.id);
    return [
      [group.name, after],
      [group.id, after],
    ];
  });
  return [...ours.map((slot): [Value, undefined] => [{ of: slot, output: "id" }, undefined]), ...literals];
};

const editing =
  (
    types: readonly string[],
    edit: (declared: Declared, step: SequenceStep, scene: Scene, view: PlatformView) => Declared,
  ): Edit =>
  (program, step, scene, view) => {
    const slot = pick(slotsOf(program, ...types), step.to);
    const declared = slot === undefined ? undefined : program.get(slot);
    if (slot === undefined || declared === undefined) return program;
    return withDeclared(program, slot, edit(declared, step, scene, view));
  };

const setting =
  (types: readonly string[], property: string, values: readonly (Value | undefined)[]): Edit =>
  (program, step) => {
    const slot = pick(slotsOf(program, ...types), step.to);
    return slot === undefined ? program : withArgument(program, slot, property, pick(values, step.how));
  };

export const EDITS: Record<string, Edit> = {
  toggle(program, { to }) {
    const slot = SLOTS[to % SLOTS.length] ?? "";
    if (program.has(slot)) return withDeclared(program, slot, undefined);
    const wanted = ALL.get(slot);
    if (!wanted) return program;
    const missing = Object.entries(wanted.args).find(([, value]) => isOutput(value) && !program.has(value.of));
    const args = missing?.[0] === "group" ? { ...wanted.args, group: "default" } : wanted.args;
    return withDeclared(program, slot, { ...wanted, args });
  },
  name: setting(["Group", "Database", "ApiToken"], "name", [undefined, ...NAMES]),
  engine: setting(["Database"], "engine", [undefined, "libsql", "tursodb"]),
  keepData: setting(["Database"], "keepData", [undefined, true]),
  location: setting(["Group"], "location", ["aws-us-east-1", "aws-eu-west-1"]),
  locations: setting(["Group"], "locations", [undefined, [], ["aws-us-west-2"], ["aws-us-west-2", "aws-us-east-2"]]),
  protectGroup: setting(["Group"], "deleteProtection", [true, false, undefined]),
  forceDestroy: setting(["Group"], "forceDestroy", [true, undefined]),
  group: editing(["Database", "ApiToken", "GroupToken"], (declared, { how }, scene, view) => {
    const choice = pick(groupChoices(scene.program, scene, view), how);
    if (declared.args.group === undefined || !choice) return declared;
    const [group, dependsOn] = choice;
    return { ...declared, args: { ...declared.args, group }, dependsOn };
  }),
  import: editing(["Group", "Database"], (declared, { how }, { program, managed }, view) => {
    const all: readonly { id: string }[] = declared.type === "Group" ? view.groups : view.databases;
    // Ids that this declaration cannot import, because other declarations already manage or import them.
    const others = [...program]
      .filter(([, one]) => one !== declared)
      .flatMap(([slot, one]) => [managed(slot), one.import]);
    const free = all.filter(({ id }) => !others.includes(id));
    return { ...declared, import: how === 0 ? undefined : pick(free, how - 1)?.id };
  }),
  protect: editing(["Group", "Database"], (declared) => ({ ...declared, protect: !declared.protect })),
  requireMfa: setting(["OrganizationSettings"], "requireMfa", [undefined, true, false]),
  restoreEnabled: setting(["OrganizationSettings"], "restoreEnabled", [undefined, true]),
  role: setting(["Member", "Invite"], "role", ["viewer", "member", "admin"]),
  sizeLimit: setting(["DatabaseConfiguration"], "sizeLimit", [undefined, "256mb", "2gb"]),
  blockWrites: setting(["DatabaseConfiguration"], "blockWrites", [undefined, true, false]),
  protectDatabase: setting(["DatabaseConfiguration"], "deleteProtection", [undefined, true, false]),
  allowedIps: setting(["DatabaseConfiguration"], "allowedIps", [undefined, [], ["10.0.0.0/8"], ["10.1.2.3"]]),
  scopes: editing(["ApiToken"], (declared, { how }) => {
    const scopes = pick([["read-only"], ["read", "db:create"], ["full-access"]], how);
    return declared.args.group === undefined || !scopes
      ? declared
      : { ...declared, args: { ...declared.args, scopes } };
  }),
  keepers: (program, { to, how }) => {
    const slot = pick(slotsOf(program, "ApiToken", "DatabaseToken", "GroupToken"), to);
    return slot === undefined ? program : withArgument(program, slot, "keepers", { epoch: String(how) });
  },
  triggers: (program, { how }) => withArgument(program, "rotation", "triggers", { since: String(how) }),
};
