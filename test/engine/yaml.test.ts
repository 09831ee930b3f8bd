import { expect, test } from "vitest";
import { engineFixture } from "./engine-fixture";
import { yamlProject } from "./yaml-project";

const program = (forgotten: string) => `
variables:
  organization:
    fn::invoke: { function: dbplatform:getOrganization, return: slug }
  locations:
    fn::invoke: { function: dbplatform:getLocations, return: locations }
  europe:
    fn::invoke: { function: dbplatform:getGroup, arguments: { name: other } }
  groups:
    fn::invoke: { function: dbplatform:getGroups, arguments: { limit: 1 } }
  databases:
    fn::invoke: { function: dbplatform:getDatabases, arguments: { group: default }, return: databases }
  deleted:
    fn::invoke: { function: dbplatform:getDeletedDatabases, arguments: { search: one }, return: databases }
  deletedGroups:
    fn::invoke: { function: dbplatform:getDeletedGroups, return: groups }
  tokens:
    fn::invoke: { function: dbplatform:getApiTokens, return: truncated }
  audited:
    fn::invoke: { function: dbplatform:getAuditLogs, arguments: { limit: 1 }, return: entries }
  made:
    fn::invoke: { function: dbplatform:getDatabase, arguments: { dbId: "\${orders.dbId}" } }
  configured:
    fn::invoke: { function: dbplatform:getDatabaseConfiguration, arguments: { dbId: "\${orders.dbId}" }, return: sizeLimit }
resources:
  shop:
    type: dbplatform:Group
    properties:
      location: \${europe.location}
  orders:
    type: dbplatform:Database
    properties:
      group: \${shop.id}
  forgotten:
    type: dbplatform:Database
    properties:
      group: default
    options:
      import: ${forgotten}
outputs:
  organization: \${organization}
  location: \${locations[0].code}
  truncated: \${groups.truncated}
  kept: \${databases[0].name}
  deleted: \${deleted[0].name}
  deletedGroups: \${deletedGroups}
  tokens: \${tokens}
  audited: \${audited[0].code}
  made: \${made.groupName}
  shop: \${shop.name}
  configured: \${configured}
`;

test("runs a YAML program that calls functions, creates a database and restores a deleted database", async () => {
  const here = await engineFixture();
  await here.createDatabase("always");
  const forgotten = await here.createDatabase("forgotten");
  await here.deleteDatabase(forgotten);
  await here.deleteDatabase(await here.createDatabase("gone"));
  here.takeWrites();
  const stack = await here.stack({ folder: yamlProject("asking", program(forgotten)) });

  const preview = await stack.preview();
  expect(preview.output).toMatch(/can be restored with its data until/);
  expect(preview.code).toBe(0);
  expect(here.takeWrites()).toEqual([]);

  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites().sort()).toEqual(["createDatabase", "createGroup", "restoreDatabase"]);
  expect(await here.databases()).toMatchObject({ forgotten });
  const told = await stack.outputs();
  expect(told).toEqual({
    organization: "acme",
    location: expect.any(String),
    truncated: true,
    kept: "always",
    deleted: "gone",
    deletedGroups: [],
    tokens: false,
    audited: expect.stringMatching(/^(db|group)-/),
    made: told.shop,
    shop: expect.stringMatching(/^shop-[0-9a-f]{7}$/),
    configured: "",
  });
  expect(stack.filesWith(here.api.apiToken)).toEqual([]);
});
