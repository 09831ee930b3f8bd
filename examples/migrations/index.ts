import * as dbplatform from "pulumi-dbplatform";

const shop = new dbplatform.Database("shop", { group: "default" });

// Applies what drizzle-kit has written. To change the tables, edit schema.ts, then run:
//
//     npx drizzle-kit generate
//     pulumi up
const schema = new dbplatform.DatabaseMigrations("schema", { database: shop.dbId, folder: "drizzle" });

// The token is there as soon as the tables are.
const service = new dbplatform.DatabaseToken("service", { database: shop.dbId }, { dependsOn: schema });

export const dbId = shop.dbId;
export const url = shop.url;
export const token = service.token;
