import * as dbplatform from "pulumi-dbplatform";

const orders = new dbplatform.Database("orders", { group: "default" });

// A token with which an application reads the database, and nothing else.
const app = new dbplatform.DatabaseToken("app", { database: orders.dbId, authorization: "read-only" });

export const dbId = orders.dbId;
export const hostname = orders.hostname;
export const appToken = app.token;
