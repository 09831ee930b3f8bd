// @module-tag previews-are-true
// @module-tag all-drift-is-shown
// @module-tag no-false-differences
// @module-tag clear-messages

import { expect, test } from "vitest";
import type { Value } from "../fake-engine/declared-program";
import { aDatabase, aGroup, aGroupToken, anApiToken, aRotation, type Declarations } from "./declarations";
import { createGroup, groupNamed, organizationSlug } from "./outside";
import { type Expectation, type StoryScene, story } from "./story";

const team = aGroup({ name: "team", location: "aws-us-east-1" });

const referring = (group: Value, options: { readonly dependsOn?: string } = {}) => ({
  database: aDatabase({ name: "orders", group }, options),
  groupToken: aGroupToken({ group }, options),
  apiToken: anApiToken({ name: "ci", group, scopes: ["read"] }, options),
  rotation: aRotation({ group }, options),
});

const afterTeam = referring("team", { dependsOn: "team" });

const SLOTS = Object.keys(referring("team"));

async function createTeam(scene: StoryScene): Promise<void> {
  scene.facts.team = await createGroup(scene, "team");
}

const renames =
  (groupName: string, name: string) =>
  ({ here }: StoryScene) =>
    here.outside.renameGroup({ organizationSlug, groupName, body: { name } });

/** Names the object of each resource and what a message says of it. */
const saidOfEach = ({ firstId }: StoryScene, what: string): RegExp[] =>
  SLOTS.map((slot) => new RegExp(`${firstId(slot)}\\).*${what}`));

/** @param another Whose group now has the name. */
const eachDiffers = (scene: StoryScene, another: string): Expectation => ({
  changes: Object.fromEntries(SLOTS.map((slot) => [slot, "update group"])),
  says: saidOfEach(scene, `"squad", but .* "team" now belongs to another group \\(${another}`),
  writes: [],
});

const outdated = (scene: StoryScene): Expectation => ({
  says: saidOfEach(scene, `now named "squad".* group: "squad", or group: "${scene.fact("team")}"`),
});

test(
  "warns of a reference by a name that its group no longer has, but changes nothing",
  story({
    past: createTeam,
    before: referring("team"),
    outside: renames("team", "squad"),
    expected: outdated,
    isUnsettled: true,
    next: [
      { expected: outdated },
      { wished: referring("squad"), expected: {} },
      {
        outside: renames("squad", "crew"),
        wished: ({ fact }) => referring(fact("team").toUpperCase()),
        expected: {},
      },
    ],
  }),
);

test(
  "shows a difference if another group now has the name, and follows neither group",
  story({
    past: createTeam,
    before: referring("team"),
    async outside(scene) {
      await renames("team", "squad")(scene);
      scene.facts.another = await createGroup(scene, "team");
    },
    expected: (scene) => eachDiffers(scene, scene.fact("another")),
    isUnsettled: true,
    next: [{ wished: referring("squad"), expected: {} }],
  }),
);

test(
  "shows a difference if the update creates another group with the name of a reference",
  story({
    past: createTeam,
    before: referring("team"),
    outside: renames("team", "squad"),
    wished: { team, ...afterTeam },
    expected(scene) {
      const { changes, ...others } = eachDiffers(scene, "");
      return { ...others, changes: { team: "create", ...changes }, writes: ["createGroup"] };
    },
    isUnsettled: true,
    afterwards({ managed, firstId }) {
      for (const slot of SLOTS) expect(managed(slot).id).toBe(firstId(slot));
    },
  }),
);

const byOutput = { output: aGroupToken({ group: { of: "team", output: "name" } }) };

/** The references come before the group, as in a program that declares them first. */
const reversed: Declarations = { ...referring("team"), team, ...byOutput };

test(
  "renames a group back without a word about the resources that refer to it by name",
  story({
    before: { team, ...afterTeam, ...byOutput },
    outside: renames("team", "squad"),
    expected: { changes: { team: "update name" } },
    up: false,
    next: [
      {
        wished: reversed,
        expected: { changes: { team: "update name" }, writes: ["renameGroup"] },
        afterwards: async (scene) =>
          expect(await groupNamed(scene, "team")).toMatchObject({ uuid: scene.firstId("team") }),
      },
    ],
  }),
);

test(
  "warns of an outdated name if the program ignores that its group was renamed",
  story({
    before: { team, ...afterTeam },
    outside: renames("team", "squad"),
    wished: { team: { ...team, ignoreChanges: ["name"] }, ...afterTeam },
    expected: (scene) => ({ says: saidOfEach(scene, 'now named "squad"') }),
  }),
);
