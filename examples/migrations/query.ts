import { drizzle } from "drizzle-orm/libsql";
import { orders } from "./schema.ts";

// After `pulumi up`:
//
//     export DATABASE_URL=$(pulumi stack output url)
//     export DATABASE_TOKEN=$(pulumi stack output token --show-secrets)
//     node query.ts
//
// The hostname in `url` exists on the platform only. The reference API serves the same database under its own address:
//
//     export DATABASE_URL=$DBPLATFORM_BASE_URL/sql/$(pulumi stack output dbId)/
const { DATABASE_URL: url = "", DATABASE_TOKEN: authToken = "" } = process.env;

const database = drizzle({ connection: { url, authToken } });
await database.insert(orders).values({ item: "tea" });
console.log(await database.select().from(orders));
