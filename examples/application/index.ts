import * as dbplatform from "pulumi-dbplatform";

const group = new dbplatform.Group("shop", { location: "aws-eu-west-1" });
const orders = new dbplatform.Database("orders", { group: group.id });

// Creates the tables. To change them, add a file with the next number, and never edit one that is applied.
new dbplatform.DatabaseMigrations("orders", { database: orders.dbId, folder: "migrations" });

// The service reads and writes with this token. In the last two weeks before its expiry, `pulumi up` issues a new one.
const service = new dbplatform.DatabaseToken("service", {
  database: orders.dbId,
  expiration: "90d",
  renewBefore: "14d",
});

export const dbId = orders.dbId;
export const url = orders.url;
export const token = service.token;
