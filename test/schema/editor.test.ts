import { expect, test } from "vitest";
import { locationDescriptionsOn } from "../../platform/values/location";
import { PRESETS, SCOPES } from "../../platform/values/scope";
import { editor } from "./editor";

const PROGRAM = `
import * as dbplatform from "../../sdk/nodejs";
const unknownYet: string = process.argv[2] ?? "moon-1";
const group = new dbplatform.Group("a", { location: "/*location*/", locations: ["/*locations*/", unknownYet, "moon-2"] });
new dbplatform.Group("b", { location: group.location, /*defaultHover*/deleteProtection: true });
new dbplatform.Group("c", { location: dbplatform.Location./*member*/AwsEuWest1 });
new dbplatform.ApiToken("d", { group: group.id, /*scopesHover*/scopes: ["/*scopes*/"] });
new dbplatform./*classHover*/Database("g", { group: group.id });
dbplatform./*functionHover*/getDatabaseOutput({ name: "g" });
new dbplatform.DatabaseToken("f", { database: "d", authorization: "/*authorization*/" });
new dbplatform.Provider("e", { driftDetection: "/*drift*/" });
`;

const { problems, offered, explained } = editor(PROGRAM);
const locations = [...Object.keys(locationDescriptionsOn("aws")), ...Object.keys(locationDescriptionsOn("fly"))];

test.each([
  ["location", locations],
  ["locations", locations],
  ["scopes", [...SCOPES, ...Object.keys(PRESETS)]],
  ["authorization", ["full-access", "read-only"]],
  ["drift", ["always", "on-refresh"]],
])("an editor offers the known values of `%s`", (mark, values) => {
  expect(offered(mark)?.sort()).toEqual([...values].sort());
});

test("the SDK's types accept outputs everywhere, and reject unlisted values only in closed enumerations", () => {
  expect(problems).toEqual(["scopes", "authorization", "drift"].map((mark) => expect.stringContaining(`/*${mark}*/`)));
});

test("an editor shows the descriptions of properties and values, and the defaults", () => {
  expect(explained("scopesHover")).toMatch(/^What a group-scoped token may do/);
  expect(explained("defaultHover")).toMatch(/Default: false\.$/);
  expect(explained("member")).toBe("AWS EU West (Ireland)");
});

test("an editor shows examples and the import command", () => {
  expect(explained("classHover")).toContain('const orders = new dbplatform.Database("orders", {group: "default"});');
  expect(explained("classHover")).toContain("pulumi import dbplatform:index:Database orders <DbId>");
  expect(explained("functionHover")).toContain("export const hostname = orders.hostname;");
});
