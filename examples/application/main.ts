import { serve } from "@hono/node-server";
import { createClient } from "@libsql/client";
import { application } from "./app.ts";

// The program in index.ts exports what the service needs. After `pulumi up`:
//
//     export DATABASE_URL=$(pulumi stack output url)
//     export DATABASE_TOKEN=$(pulumi stack output token --show-secrets)
//     npm start
//
// The hostname in `url` exists on the platform only. The reference API serves the same database under its own address:
//
//     export DATABASE_URL=$DBPLATFORM_BASE_URL/sql/$(pulumi stack output dbId)/
const { DATABASE_URL: url = "", DATABASE_TOKEN: authToken = "", PORT: port = "3000" } = process.env;

const database = createClient({ url, authToken });
serve({ fetch: application(database).fetch, port: Number(port) }, (address) =>
  console.log(`http://localhost:${address.port}/orders`),
);
