import { expect } from "vitest";
import { expandScopes } from "../../platform/values/scope";
import { sameSize } from "../../platform/values/size";
import { type Declared, isOutput } from "../fake-engine/declared-program";
import type { StackResource } from "./driver";
import { liveDatabase, liveGroup } from "./platform-view";
import type { Scene } from "./scene";
import type { PlatformView } from "./sequence-fixture";

interface Looked {
  readonly id: string;
  readonly args: Declared["args"];
  readonly view: PlatformView;
  readonly scene: Scene;
  readonly token: string;
}

/** Asserts that each declared resource exists once and has the properties that the program sets. */
export async function mustEqual(
  scene: Scene,
  managed: ReadonlyMap<string, StackResource>,
  tokens: Readonly<Record<string, unknown>>,
): Promise<void> {
  const view = await scene.stage.view();
  expect([...managed.keys()].sort()).toEqual([...scene.program.keys()].sort());
  for (const [slot, { type, args }] of scene.program) {
    const id = managed.get(slot)?.id ?? "";
    const resolved = Object.entries(args).map(([name, value]) => [
      name,
      isOutput(value) ? (managed.get(value.of)?.id ?? "") : value,
    ]);
    const looked = { id, args: Object.fromEntries(resolved), view, scene, token: String(tokens[slot]) };
    const { has, wanted } = (await COMPARED[type]?.(looked)) ?? { has: undefined, wanted: type };
    expect(has, `${slot} (${type} ${id})`).toEqual(wanted);
  }
}

/** Returns a resource's values on the platform (`has`) and in the program (`wanted`), for comparison. */
type Compared = (looked: Looked) => Promise<{ has: unknown; wanted: unknown }> | { has: unknown; wanted: unknown };

const COMPARED: Readonly<Record<string, Compared>> = {
  Group({ id, args, view }) {
    const { name, location, locations, deleteProtection } = args;
    const row = liveGroup(view, (group) => group.id === id);
    const has = row && {
      name: row.name,
      location: row.location,
      locations: sorted(JSON.parse(row.other_locations)),
      deleteProtection: row.delete_protection === 1,
    };
    return said(has, { name, location, locations: locations && sorted(locations), deleteProtection });
  },

  Database({ id, args, view }) {
    const row = liveDatabase(view, (database) => database.id === id);
    const has = row && { name: row.name, group: row.group_id, engine: row.engine };
    return said(has, { name: args.name, group: groupNamed(args.group, view), engine: args.engine });
  },

  DatabaseConfiguration({ id, args, view }) {
    const { sizeLimit, blockWrites, deleteProtection, allowedIps } = args;
    const row = liveDatabase(view, (database) => database.id === id && id === args.database);
    const has = row && {
      sizeLimit: sameSize(String(sizeLimit), row.size_limit) ? sizeLimit : row.size_limit,
      blockWrites: row.block_writes === 1,
      deleteProtection: row.delete_protection === 1,
      allowedIps: JSON.parse(row.allowed_ips).map((block: string) => block.replace("/32", "")),
    };
    return said(has, { sizeLimit, blockWrites, deleteProtection, allowedIps });
  },

  ApiToken({ id, args, view }) {
    const row = view.tokens.find((token) => token.id === id);
    const has = row && { name: row.name, group: row.group_id, scopes: sorted(JSON.parse(row.scopes ?? "[]")) };
    const group = args.group === undefined ? null : groupNamed(args.group, view);
    const scopes = args.scopes && sorted(expandScopes(args.scopes as string[]));
    return said(has, { name: args.name, group, scopes });
  },

  DatabaseToken: ({ args, view, scene, token }) =>
    opens(token, liveDatabase(view, ({ id }) => id === args.database)?.id, scene, view),

  GroupToken({ args, view, scene, token }) {
    const group = groupNamed(args.group, view);
    const some = liveDatabase(view, ({ group_id }) => group_id === group);
    return some ? opens(token, some.id, scene, view) : { has: "valid", wanted: "valid" };
  },

  SigningKeyRotation: ({ id, args, view }) => ({
    has: liveDatabase(view, (database) => database.id === id)?.id,
    wanted: args.database,
  }),

  Member({ id, args, view }) {
    return said({ username: id, role: view.members[id] }, args);
  },

  // Also looks for a membership, because an accepted invite becomes a membership.
  Invite({ id, args, view }) {
    const has = view.invites[id] ?? (view.members.lea && args.role);
    return said({ email: id, role: has }, args);
  },

  OrganizationSettings({ id, args, view }) {
    const acme = view.organizations.acme;
    const has = acme?.id === id ? { requireMfa: acme.mfa, restoreEnabled: acme.restores } : undefined;
    return said(has, { requireMfa: args.requireMfa, restoreEnabled: args.restoreEnabled });
  },
};

const sorted = (list: unknown): string[] => [...(list as string[])].sort();

const groupNamed = (wanted: unknown, view: PlatformView): string | undefined =>
  liveGroup(view, ({ id, name }) => id === wanted || name === wanted)?.id ?? `no group ${wanted}`;

/** Removes from both sides of the comparison the properties that the program does not set. */
function said(has: object | undefined, wanted: object): { has: unknown; wanted: unknown } {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const seen = has && Object.fromEntries(Object.entries(has).filter(([name]) => given.some(([one]) => one === name)));
  return { has: seen, wanted: Object.fromEntries(given) };
}

/** Verifies a token. Skips tokens whose key was rotated outside Pulumi, because Pulumi cannot detect such rotations. */
async function opens(token: string, database: string | undefined, { stage, rotated }: Scene, view: PlatformView) {
  const group = view.databases.find(({ id }) => id === database)?.group_id;
  if (rotated.has(database ?? "") || rotated.has(group ?? "")) return { has: "valid", wanted: "valid" };
  const has = await stage.api.verifySqlToken(token, database ?? "").then(() => "valid", String);
  return { has, wanted: "valid" };
}
