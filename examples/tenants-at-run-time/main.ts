import { Tenants } from "./tenants.ts";

// `node main.ts globex "Buy milk"` adds a note of tenant globex, and prints all notes of that tenant. After `pulumi up`:
//
//     export TENANTS_GROUP=$(pulumi stack output groupName)
//     export TENANTS_TOKEN=$(pulumi stack output token --show-secrets)
//     export DBPLATFORM_ORGANIZATION_ID=$(pulumi stack output organizationId)
//
// The hostname of a database exists on the platform only. The reference API serves databases under its own address:
//
//     export TENANTS_ADDRESS="$DBPLATFORM_BASE_URL/sql/{DbId}/"
const { env } = process;
const tenants = new Tenants({
  url: env.DBPLATFORM_BASE_URL ?? "",
  organization: env.DBPLATFORM_ORGANIZATION ?? "",
  organizationId: env.DBPLATFORM_ORGANIZATION_ID ?? "",
  apiToken: env.TENANTS_TOKEN ?? "",
  group: env.TENANTS_GROUP ?? "",
  ...(env.TENANTS_ADDRESS && { address: env.TENANTS_ADDRESS }),
});

const [tenant = "", ...notes] = process.argv.slice(2);
const rows = await tenants.use(tenant, async (database) => {
  for (const text of notes) await database.execute({ sql: "INSERT INTO notes (text) VALUES (?)", args: [text] });
  return (await database.execute("SELECT text FROM notes ORDER BY id")).rows;
});
for (const { text } of rows) console.log(text);
