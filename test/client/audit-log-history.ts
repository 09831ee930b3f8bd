import fc from "fast-check";
import type { AuditLogPage } from "../../provider/client/audit-log/acts";

type Entry = AuditLogPage["audit_logs"][number];

/** One event in a generated history. `which` is an index into the live or deleted objects, and `name` into `NAMES`. */
export type HistoryStep = {
  readonly what: (typeof WHAT)[number];
  readonly which: number;
  readonly name: number;
  readonly value: boolean;
  readonly user: number;
  readonly byId: boolean;
  /** Milliseconds since the previous step. */
  readonly after: number;
  /** Clock errors in milliseconds: one for the log entry's timestamp, one for the object's timestamp. */
  readonly skews: readonly [number, number];
  readonly hidden: "nothing" | "data" | "settings" | "code";
};

const WHAT = [
  "create",
  "delete",
  "restore",
  "block",
  "protect",
  "createGroup",
  "deleteGroup",
  "restoreGroup",
  "renameGroup",
  "protectGroup",
  "locate",
  "overage",
  "mint",
  "other",
] as const;

const USERS = [
  { author: "ada", origin: "cli" },
  { author: "ada", origin: "web" },
  { author: "max", origin: "cli" },
  { author: "eva", origin: "api" },
] as const;

/** The author of changes made by the platform itself, such as blocking a database. The log omits such changes. */
const NOBODY = { author: "", origin: "" };

type User = Pick<Entry, "author" | "origin">;

/** Keeps the clocks within five seconds of each other, because the search tolerates no larger difference. */
const skew = fc.integer({ min: -2_400, max: 2_400 });

const stepOf = (what: fc.Arbitrary<HistoryStep["what"]>): fc.Arbitrary<HistoryStep> =>
  fc.record({
    what,
    which: fc.nat(7),
    name: fc.constantFrom(0, 0, 0, 1),
    value: fc.boolean(),
    user: fc.nat(USERS.length - 1),
    byId: fc.boolean(),
    after: fc.oneof(fc.nat(2_000), fc.nat(8_000), fc.nat(30_000)),
    skews: fc.tuple(skew, skew),
    hidden: fc.oneof(
      { weight: 8, arbitrary: fc.constant("nothing" as const) },
      { weight: 1, arbitrary: fc.constantFrom("data" as const, "settings" as const, "code" as const) },
    ),
  });

/** Each history uses only a few kinds of steps, so that steps often undo or repeat each other. */
export const history: fc.Arbitrary<HistoryStep[]> = fc
  .subarray([...WHAT], { minLength: 2, maxLength: 5 })
  .chain((some) => fc.array(stepOf(fc.constantFrom("create", ...some)), { minLength: 5, maxLength: 30, size: "max" }));

/**
 * One of an object's settings. `setters` lists the user who last changed the value, followed by all users who have
 * since set the same value again.
 */
interface Setting {
  value: unknown;
  setters: User[];
}

export interface HistoryObject {
  readonly kind: "database" | "group" | "token";
  readonly id: string;
  name: string;
  readonly creator: User;
  group?: HistoryObject;
  deletedAt?: number;
  deletedWithGroup?: boolean;
  deleter?: User;
  readonly settings: Record<string, Setting>;
}

/** The objects at the end of a history, and its audit log with the latest entry first. */
export interface World {
  readonly things: readonly HistoryObject[];
  readonly log: readonly Entry[];
  readonly now: number;
}

const step = (what: HistoryStep["what"], more: Partial<HistoryStep> = {}): HistoryStep => ({
  what,
  which: 0,
  name: 0,
  value: false,
  user: 0,
  byId: false,
  after: 0,
  skews: [0, 0],
  hidden: "nothing",
  ...more,
});

/**
 * A history in which two users give a setting different values at almost the same time. With four entries per page, the
 * first page ends between the entries for these two changes.
 */
export const CONTRADICTED: HistoryStep[] = [
  step("create"),
  step("block", { value: true }),
  step("block", { skews: [-1, 0] }),
  step("overage"),
  step("locate"),
  step("locate"),
  step("create", { name: 1 }),
];

const NAMES = ["orders", "shop"] as const;
const UNKNOWN_DATA = [{}, { target: "orders" }, { database: 7, group: null, id: {} }];

export function happen(steps: readonly HistoryStep[]): World {
  const things: HistoryObject[] = [];
  const log: Entry[] = [];
  let now = Date.parse("2026-11-22T07:00:00Z");
  const first = {
    what: "createGroup",
    which: 0,
    name: 0,
    value: true,
    user: 0,
    byId: true,
    after: 0,
    skews: [0, 0],
  } as const;
  for (const step of [{ ...first, hidden: "nothing" } as HistoryStep, ...steps]) {
    now += step.after;
    const user = USERS[step.user] as User;
    const at = now;
    const write = (code: string, data: Entry["data"]) => {
      const settings = Object.keys(data).filter((key) => !["database", "group"].includes(key));
      const shown =
        step.hidden === "settings"
          ? Object.fromEntries(Object.entries(data).filter(([key]) => !settings.includes(key)))
          : data;
      log.push({
        code: step.hidden === "code" ? code.replace("-", "-do-") : code,
        message: "",
        ...user,
        created_at: new Date(at + step.skews[0]).toISOString(),
        data: step.hidden === "data" ? { ...UNKNOWN_DATA[step.which % UNKNOWN_DATA.length] } : shown,
      });
    };
    perform(step, { things, write, user, stamp: at + step.skews[1] });
  }
  return { things, log: log.toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1)), now };
}

interface Scene {
  readonly things: HistoryObject[];
  readonly write: (code: string, data: Entry["data"]) => void;
  readonly user: User;
  readonly stamp: number;
}

function perform(
  { what, which, name: nameIndex, value, byId }: HistoryStep,
  { things, write, user, stamp }: Scene,
): void {
  const name = NAMES[nameIndex] as string;
  const choose = (kind: HistoryObject["kind"], live: boolean) => {
    const all = things.filter((thing) => thing.kind === kind && (thing.deletedAt === undefined) === live);
    return all[which % Math.max(1, all.length)];
  };
  const taken = (kind: HistoryObject["kind"], wanted: string) =>
    things.some((thing) => thing.kind === kind && thing.name === wanted && thing.deletedAt === undefined);
  const add = (kind: HistoryObject["kind"], more: Partial<HistoryObject> = {}) => {
    const thing: HistoryObject = { kind, id: `${kind}-${things.length}`, name, creator: user, settings: {}, ...more };
    things.push(thing);
    return thing;
  };
  const revive = (thing: HistoryObject) => {
    delete thing.deletedAt;
    delete thing.deletedWithGroup;
    delete thing.deleter;
  };
  const set = (thing: HistoryObject, setting: string, to: unknown, by: User = user) => {
    const before = thing.settings[setting];
    const isSame = before !== undefined && before.value === to;
    thing.settings[setting] = { value: to, setters: [...(isSame ? before.setters : []), by] };
  };
  const [database, group] = [choose("database", true), choose("group", true)];
  const [lost, lostGroup] = [choose("database", false), choose("group", false)];

  if (what === "create" && group && !taken("database", name)) {
    const { id } = add("database", { group });
    write("db-create", { database: name, id, group: group.name });
  } else if (what === "delete" && database) {
    Object.assign(database, { deletedAt: stamp, deleter: user });
    write("db-delete", { database: database.name, ...(byId && { id: database.id }) });
  } else if (
    what === "restore" &&
    lost &&
    !taken("database", name) &&
    (lost.deletedWithGroup || !lost.group?.deletedAt)
  ) {
    const owner = lost.group as HistoryObject;
    if (owner.deletedAt !== undefined && taken("group", owner.name)) return;
    revive(owner);
    revive(lost);
    lost.name = name;
    write("db-restore", { database: name, id: lost.id, group: owner.name });
  } else if (what === "block" && database) {
    set(database, "block_writes", value);
    write("db-configure", { database: database.name, block_writes: value });
  } else if (what === "protect" && database) {
    set(database, "delete_protection", value);
    write(value ? "db-protect" : "db-unprotect", { database: database.name });
  } else if (what === "createGroup" && !taken("group", name)) {
    const made = add("group");
    write("group-create", { group: name, uuid: made.id });
  } else if (what === "deleteGroup" && group) {
    for (const thing of [group, ...things.filter((each) => each.group === group && each.deletedAt === undefined)])
      Object.assign(thing, { deletedAt: stamp, deleter: user, deletedWithGroup: thing !== group });
    write("group-delete", { group: group.name, uuid: group.id });
  } else if (what === "restoreGroup" && lostGroup && !taken("group", lostGroup.name)) {
    const inside = things.filter(
      (each) => each.group === lostGroup && each.deletedWithGroup && !taken("database", each.name),
    );
    for (const thing of [lostGroup, ...inside]) if (!taken(thing.kind, thing.name)) revive(thing);
    write("group-restore", { group: lostGroup.name, uuid: lostGroup.id, databases: inside.map(({ id }) => id) });
  } else if (what === "renameGroup" && group && !taken("group", name)) {
    write("group-rename", { group: group.name, name });
    group.name = name;
    set(group, "name", name);
  } else if (what === "protectGroup" && group) {
    set(group, "delete_protection", value);
    write(value ? "group-protect" : "group-unprotect", { group: group.name });
  } else if (what === "locate" && group) {
    set(group, "location fra", value);
    write(value ? "group-location-add" : "group-location-rm", { group: group.name, location: "fra" });
  } else if (what === "overage" && database) {
    set(database, "block_writes", true, NOBODY);
  } else if (what === "overage" && group) {
    set(group, "delete_protection", true, NOBODY);
  } else if (what === "mint") {
    const { id } = add("token");
    write("user-token-create", { name, id });
  } else if (what === "other") {
    write("user-token-create", { name: "ci" });
  }
}
