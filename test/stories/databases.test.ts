// @module-tag no-database-is-lost
// @module-tag secrets-stay-secret
// @module-tag all-drift-is-shown

import { expect, test } from "vitest";
import { changedOutside, deletionPrevented, replacementPrevented } from "../../kit/lifecycle/messages";
import { importContradiction, importedTwice } from "../../kit/lifecycle/restore/messages";
import { HttpConnection } from "../../provider/client/http/client";
import { authorName } from "../../provider/client/messages";
import { availableGroups, groupNotFound } from "../../provider/resources/group/messages";
import { OBJECT_PROTECTED, unprotectDatabase } from "../../provider/resources/messages";
import { aConfiguration, aDatabase, aDatabaseNamed, anApiToken, dbIdOf } from "./declarations";
import { databaseDeleted, databaseRestored, databaseRestorePlanned } from "./messages";
import { configure, organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

const protect = (deleteProtection: boolean) => (scene: StoryScene) =>
  configure(scene, "orders", { delete_protection: deleteProtection });

const protectedOrders = (id: string, isConfigurationDeclared = false) => ({
  title: 'database "orders"',
  id,
  reason: OBJECT_PROTECTED,
  toAllow: unprotectDatabase({ isConfigurationDeclared }),
});

const guarded = (deleteProtection: boolean, name = "orders") => ({
  orders: aDatabase({ name, group: "default" }),
  limits: aConfiguration({ database: dbIdOf("orders"), deleteProtection }),
});

const says = ({ answer, advice }: { answer: string; advice?: string | undefined }) => `${answer}. ${advice}`;

test(
  "a preview refuses to replace a delete-protected database until its protection is removed",
  story({
    before: { orders: aDatabaseNamed("orders") },
    outside: protect(true),
    wished: { orders: aDatabaseNamed("orders", "other") },
    expected: ({ firstId }) => ({
      fails: says(
        replacementPrevented({
          ...protectedOrders(firstId("orders")),
          kind: "database",
          properties: ["group"],
          isRestorable: true,
          isSeeded: false,
        }),
      ),
      databases: { orders: firstId("orders") },
    }),
    next: [
      {
        wished: {},
        preview: false,
        up: ({ firstId }) => ({
          fails: says(deletionPrevented(protectedOrders(firstId("orders")))),
          databases: { orders: firstId("orders") },
        }),
      },
      {
        outside: protect(false),
        wished: { orders: aDatabaseNamed("orders", "other") },
        preview: false,
        up: { changes: { orders: "replace group" }, says: [/without its data/] },
        afterwards: async ({ here, firstId }) =>
          expect(await here.databases()).not.toEqual({ orders: firstId("orders") }),
      },
    ],
  }),
);

test(
  "refuses to rename or remove a protected database, and the printed advice leads to its removal",
  story({
    before: guarded(true),
    wished: guarded(true, "catalogue"),
    expected: ({ firstId }) => ({
      fails: says(
        replacementPrevented({
          ...protectedOrders(firstId("orders"), true),
          ...{ kind: "database", properties: ["name"], isRestorable: true, isSeeded: false },
        }),
      ),
      databases: { orders: firstId("orders") },
    }),
    next: [
      {
        // Pulumi asks no provider in the preview of a deletion, and deletes the configuration first.
        wished: {},
        preview: { changes: { orders: "delete", limits: "delete" } },
        up: ({ firstId }) => ({
          fails: says(deletionPrevented(protectedOrders(firstId("orders")))),
          databases: { orders: firstId("orders") },
        }),
      },
      {
        wished: guarded(false),
        preview: false,
        up: ({ firstId }) => ({ changes: { limits: "create" }, databases: { orders: firstId("orders") } }),
      },
      {
        wished: {},
        preview: false,
        up: { changes: { orders: "delete", limits: "delete" }, databases: {} },
      },
    ],
  }),
);

const together = (group: string) => ({
  orders: aDatabaseNamed("orders", group),
  ci: anApiToken({ name: "ci", group, scopes: ["read"] }),
});

test(
  "refuses in the preview to move a database to an unknown group, and deletes nothing",
  story({
    before: together("default"),
    wished: together("defualt"),
    expected: ({ firstId }) => ({
      fails: `${groupNotFound({ wanted: "defualt", organization: "acme" })}. ${availableGroups({ known: ["default", "other"] })}`,
      databases: { orders: firstId("orders") },
    }),
    next: [
      {
        wished: together("default"),
        preview: false,
        up: ({ firstId }) => ({ databases: { orders: firstId("orders") } }),
      },
    ],
  }),
);

const drifting = {
  orders: aDatabaseNamed("orders"),
  shop: aDatabaseNamed("shop"),
  limits: aConfiguration({ database: dbIdOf("shop"), blockWrites: true }),
};

/** Returns a client of this user, who is recognized by the user agent. */
const as = async ({ here: { api } }: StoryScene, user: string, userAgent: string) =>
  new HttpConnection({ baseUrl: api.url, apiToken: await api.token({ user }), userAgent }).client({
    signal: new AbortController().signal,
  });

test(
  "a plain preview names the users who deleted one database and changed another",
  story({
    before: drifting,
    async outside({ here }) {
      here.api.clearJournal();
    },
    expected: {},
    up: false,
    afterwards: ({ here }) => expect(auditLogsAsked(here)).toBe(0),
    next: [
      {
        async outside(scene) {
          const { api } = scene.here;
          await api.advance(60);
          await api.member("max", "admin");
          const max = await as(scene, "max", "Mozilla/5.0");
          const body = { block_writes: false };
          await max.updateDatabaseConfiguration({ organizationSlug, databaseName: "shop", body });
          await api.advance(20 * 60 + 1);
          const ada = await as(scene, "ada", "turso-cli/1.0.4 (linux/amd64)");
          await ada.deleteDatabase({ organizationSlug, databaseName: "orders" });
        },
        preview: ({ firstId }) => ({
          changes: { orders: "update deletedAt", limits: "update blockWrites" },
          says: [
            databaseRestorePlanned("orders", firstId("orders")),
            databaseDeleted("orders", { at: "2026-03-01T12:21:01Z", by: { author: "ada", origin: "cli" } }),
            changedOutside({
              changes: [{ property: "blockWrites", is: true, wanted: false }],
              thing: 'database "shop"',
              isSetBack: true,
              author: authorName({ by: { author: "max", origin: "web" } }),
              ago: "20 minutes ago",
            }),
          ],
        }),
        up: false,
        afterwards: ({ here }) => expect(auditLogsAsked(here)).toBe(1),
      },
    ],
  }),
);

const auditLogsAsked = ({ api }: StoryScene["here"]): number =>
  api.journal().filter(({ operation }) => operation === "listAuditLogs").length;

test(
  "refuses to import a database twice, or with arguments that contradict its settings",
  story({
    async past({ here, facts }) {
      facts.orders = await here.createDatabase("orders");
    },
    wished: ({ fact }) => ({
      one: aDatabase({ name: "orders", group: "default" }, { import: fact("orders") }),
      two: aDatabase({ name: "other", group: "default" }, { import: fact("orders") }),
    }),
    preview: ({ fact }) => ({
      fails: new RegExp(`urn:\\S+::(one|two)${importedTwice({ urn: "", id: fact("orders") }).answer}`),
    }),
    up: false,
    next: [
      {
        wished: ({ fact }) => ({ one: aDatabase({ name: "orders", group: "other" }, { import: fact("orders") }) }),
        expected: ({ fact }) => ({
          fails: importContradiction({
            title: 'database "orders"',
            id: fact("orders"),
            difference: { property: "group", is: "default", wanted: "other" },
          }).answer,
        }),
      },
      {
        wished: ({ fact }) => ({ one: aDatabase({ name: "orders", group: "default" }, { import: fact("orders") }) }),
        // The refused update has recorded the import in the state.
        expected: ({ fact }) => ({ databases: { orders: fact("orders") } }),
      },
    ],
  }),
);

const withAddress = (name: string) => ({
  orders: aDatabase({ name, group: "default" }),
  ci: anApiToken({ name: "ci", keepers: { address: { of: "orders", output: "url" } } }),
});

test(
  "a preview shows that a database has other addresses after a restore under another name",
  story({
    before: withAddress("orders"),
    outside: ({ here, firstId }) => here.deleteDatabase(firstId("orders")),
    wished: withAddress("sales"),
    expected: ({ firstId }) => ({
      changes: { orders: "update deletedAt name", ci: "replace keepers" },
      says: [databaseDeleted("orders")],
      databases: { sales: firstId("orders") },
    }),
    preview: ({ firstId }) => ({ says: [databaseRestorePlanned("orders", firstId("orders"))] }),
    up: { says: [databaseRestored("sales")] },
    afterwards({ managed }) {
      const { hostname, url, httpUrl } = managed("orders").outputs;
      expect(hostname).toMatch(/^sales-/);
      expect([url, httpUrl]).toEqual([`libsql://${hostname}`, `https://${hostname}`]);
    },
  }),
);
