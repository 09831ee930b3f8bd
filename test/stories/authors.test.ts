// @module-tag all-drift-is-shown

import { expect, test } from "vitest";
import { changedOutside } from "../../kit/lifecycle/messages";
import { LESS_THAN_A_MINUTE_AGO } from "../../kit/messages";
import type { Operation } from "../../platform/contract/api";
import { HttpConnection } from "../../provider/client/http/client";
import { authorName } from "../../provider/client/messages";
import { groupRestoredToo } from "../../provider/resources/database/messages";
import { aConfiguration, aDatabaseNamed, aGroup, type Declarations, TENANTS, tenants } from "./declarations";
import { databaseDeleted, databaseRestorePlanned, groupDeleted, groupRestorePlanned } from "./messages";
import { organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

type Origin = "cli" | "web" | "api";

const USER_AGENTS: Readonly<Record<Origin, string>> = {
  cli: "turso-cli/1.0.4 (linux/amd64)",
  web: "Mozilla/5.0",
  api: "tests",
};

/** In seconds. One more than 60, because the platform's time is known only to the second. */
const MINUTE = 61;

/** Returns a client of a user, who is recognized by the user agent. */
async function as({ here: { api } }: StoryScene, user: "ada" | "max", from: Origin) {
  if (user !== "ada") await api.member(user, "admin");
  const connection = { baseUrl: api.url, apiToken: await api.token({ user }), userAgent: USER_AGENTS[from] };
  return new HttpConnection(connection).client({ signal: new AbortController().signal });
}

const asked = ({ here }: StoryScene, operation: Operation = "listAuditLogs"): number =>
  here.api.journal().filter((entry) => entry.operation === operation).length;

interface Deed {
  readonly changes: Parameters<typeof changedOutside>[0]["changes"];
  readonly thing: string;
  readonly by?: { readonly author: string; readonly origin: Origin };
  readonly ago?: string;
}

const maxInCli = { author: "max", origin: "cli" } as const;

const changed = ({ by = maxInCli, ago = LESS_THAN_A_MINUTE_AGO, ...deed }: Deed): string =>
  changedOutside({ ...deed, author: authorName({ by }), ago, isSetBack: true });

const origins = ["cli", "web", "api"] as const;

test(
  "names the user who deleted a database or its group, and the client they used",
  story({
    before: {
      ...Object.fromEntries(origins.map((from) => [from, aDatabaseNamed(from)])),
      tenants,
      first: { ...aDatabaseNamed("first", "tenants"), dependsOn: "tenants" },
      second: aDatabaseNamed("second", "other"),
    },
    async outside(scene) {
      for (const from of origins)
        await (await as(scene, "max", from)).deleteDatabase({ organizationSlug, databaseName: from });
      for (const groupName of ["tenants", "other"])
        await (await as(scene, "max", "cli")).deleteGroup({ organizationSlug, groupName });
      await scene.here.api.advance(180 * MINUTE);
      scene.here.api.clearJournal();
    },
    preview: ({ firstId, managed }) => ({
      changes: Object.fromEntries([...origins, "tenants", "first", "second"].map((slot) => [slot, "update deletedAt"])),
      says: [
        ...origins.map((origin) => databaseDeleted(origin, { by: { author: "max", origin } })),
        ...[...origins, "second"].map((name) => databaseRestorePlanned(name, firstId(name))),
        groupDeleted("tenants", { first: firstId("first") }, { by: maxInCli }),
        groupRestorePlanned("tenants", firstId("tenants")),
        databaseDeleted("second", { withGroup: true, by: maxInCli }),
        groupRestoredToo({ groupName: "other", groupId: String(managed("second").outputs.groupId), isInStack: false }),
      ],
    }),
    up: false,
    afterwards: (scene) => expect(asked(scene)).toBe(1),
  }),
);

test(
  "reads at most three pages of the audit log to find who deleted something",
  story({
    before: { early: aDatabaseNamed("early"), late: aDatabaseNamed("late") },
    async outside(scene) {
      const { here } = scene;
      const max = await as(scene, "max", "cli");
      const database = (name: string) => ({ organizationSlug, databaseName: name });
      const changeBusy = async (times: number) => {
        for (let index = 0; index < times; index++)
          await max.updateDatabaseConfiguration({ ...database("busy"), body: { allow_attach: index % 2 === 0 } });
      };
      await max.createDatabase({ organizationSlug, body: { name: "busy", group: "default" } });
      await max.deleteDatabase(database("early"));
      await here.api.advance(MINUTE);
      await changeBusy(310);
      await here.api.advance(MINUTE);
      await max.deleteDatabase(database("late"));
      here.api.clearJournal();
    },
    preview: ({ firstId }) => ({
      changes: { early: "update deletedAt", late: "update deletedAt" },
      says: [
        databaseDeleted("early", { by: "nobody" }),
        databaseDeleted("late", { by: maxInCli, at: "2026-03-01T12:02:02Z" }),
        ...["early", "late"].map((name) => databaseRestorePlanned(name, firstId(name))),
      ],
    }),
    up: false,
    afterwards: (scene) => expect(asked(scene)).toBe(3),
  }),
);

const WIDE = {
  name: "tenants",
  location: "aws-us-east-1",
  locations: ["aws-eu-west-1"],
  deleteProtection: false,
};

test(
  "names the users who renamed a group and changed its locations and protection",
  story({
    before: { tenants: aGroup(WIDE) },
    async outside(scene) {
      const { api } = scene.here;
      const [max, ada] = [await as(scene, "max", "cli"), await as(scene, "ada", "api")];
      const strange = { organizationSlug, groupName: "strange" };
      await api.advance(MINUTE);
      await max.renameGroup({ organizationSlug, groupName: "tenants", body: { name: "strange" } });
      await api.advance(MINUTE);
      await max.addGroupLocation({ ...strange, location: "aws-us-west-2" });
      await max.removeGroupLocation({ ...strange, location: "aws-eu-west-1" });
      await ada.updateGroupConfiguration({ ...strange, body: { delete_protection: true } });
      api.clearJournal();
    },
    preview: {
      changes: { tenants: "update deleteProtection locations name" },
      says: [
        changed({
          thing: 'group "strange"',
          changes: [{ property: "name", is: "tenants", wanted: "strange" }],
          ago: "1 minute ago",
        }),
        changed({
          thing: 'group "strange"',
          changes: [{ property: "locations", is: ["aws-eu-west-1"], wanted: ["aws-us-west-2"] }],
        }),
        changed({
          thing: 'group "strange"',
          changes: [{ property: "deleteProtection", is: false, wanted: true }],
          by: { author: "ada", origin: "api" },
        }),
      ],
    },
    up: false,
    afterwards: (scene) => expect(asked(scene)).toBe(1),
  }),
);

const limited = ({ fact }: StoryScene, more = {}): Declarations => ({
  limits: aConfiguration({
    database: fact("orders"),
    ...{ blockWrites: true, allowedIps: ["10.0.0.0/8"], deleteProtection: true },
    ...more,
  }),
});

const configureOrders = async (scene: StoryScene, from: Origin, body: object) =>
  (await as(scene, "max", from)).updateDatabaseConfiguration({ organizationSlug, databaseName: "orders", body });

test(
  "names the user who changed several settings, and reads the audit log only for such a change",
  story({
    async past({ here, facts }) {
      facts.orders = await here.createDatabase("orders");
    },
    before: limited,
    async outside({ here: { api } }) {
      await api.advance(MINUTE);
      api.clearJournal();
    },
    wished: (scene) => limited(scene, { sizeLimit: "1gb" }),
    preview: { changes: { limits: "update sizeLimit" } },
    up: false,
    afterwards: (scene) => expect(asked(scene)).toBe(0),
    next: [
      {
        async outside(scene) {
          const body = { block_writes: false, allowed_ips: null, delete_protection: false };
          await configureOrders(scene, "web", body);
          await scene.here.api.advance(20 * MINUTE);
        },
        wished: limited,
        preview: ({ fact }) => ({
          changes: { limits: "update allowedIps blockWrites deleteProtection" },
          says: [
            changed({
              thing: `database ${fact("orders")}`,
              changes: [
                { property: "blockWrites", is: true, wanted: false },
                { property: "deleteProtection", is: true, wanted: false },
                { property: "allowedIps", is: ["10.0.0.0/8"], wanted: [] },
              ],
              by: { author: "max", origin: "web" },
              ago: "20 minutes ago",
            }),
          ],
        }),
        up: false,
        afterwards: (scene) => expect(asked(scene)).toBe(1),
      },
      {
        // The program has changed a setting as well, so no update sets back the value that it had.
        outside: (scene) =>
          configureOrders(scene, "cli", {
            block_writes: true,
            allowed_ips: ["10.0.0.0/16"],
            delete_protection: true,
          }),
        wished: (scene) => limited(scene, { allowedIps: ["10.0.0.0/24"] }),
        preview: {
          changes: { limits: "update allowedIps" },
          says: [/^`allowedIps` .* to \["10.0.0.0\/16"\], most likely by max with the CLI, less than a minute ago\.$/],
        },
        up: false,
      },
    ],
  }),
);

test(
  "names nobody for a difference that a failed update has left",
  story({
    outside: ({ here: { api } }) =>
      void api.fault({ operation: "updateGroupConfiguration", status: 409, body: { error: "busy" }, times: 99 }),
    wished: { tenants: aGroup({ ...TENANTS, deleteProtection: true }) },
    preview: false,
    up: { fails: "busy", writes: ["createGroup"] },
    next: [
      {
        async outside({ here: { api } }) {
          api.clearFaults();
          api.clearJournal();
        },
        preview: { changes: { tenants: "update deleteProtection" } },
        up: false,
        afterwards: (scene) => expect(asked(scene)).toBe(0),
      },
    ],
  }),
);

test.each([
  ["status 403", { status: 403 }],
  ["status 503", { status: 503 }],
  ["status 429", { status: 429 }],
  ["a lost connection", { reset: "after" }],
  ["an unreadable body", { body: "html" }],
  ["a body of another shape", { body: { audit_logs: [{ code: "db-delete" }] } }],
] as const)("asks for the audit log once, and names nobody, if the answer is %s", (_, fault) =>
  story({
    before: { tenants, orders: aDatabaseNamed("orders") },
    async outside(scene) {
      const max = await as(scene, "max", "cli");
      await max.renameGroup({ organizationSlug, groupName: "tenants", body: { name: "strange" } });
      await max.deleteDatabase({ organizationSlug, databaseName: "orders" });
      scene.here.api.fault({ operation: "listAuditLogs", times: 99, ...fault });
      scene.here.api.clearJournal();
    },
    preview: ({ firstId }) => ({
      changes: { tenants: "update name", orders: "update deletedAt" },
      says: [databaseDeleted("orders", { by: "nobody" }), databaseRestorePlanned("orders", firstId("orders"))],
    }),
    up: false,
    afterwards: (scene) => expect(asked(scene)).toBe(1),
  })(),
);
