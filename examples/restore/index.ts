import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";

// `protect` stops Pulumi from deleting the group and the database. Other people can still delete them outside Pulumi,
// as this example shows; `deleteProtection: true` would prevent that too.
const group = new dbplatform.Group("shop", { location: "aws-eu-west-1" }, { protect: true });
const orders = new dbplatform.Database("orders", { group: group.id }, { protect: true });

// After its database is restored, the configuration is applied again.
new dbplatform.DatabaseConfiguration("orders", { database: orders.dbId, sizeLimit: "1gb" });

// Restores a deleted database that this program has never managed. Without `name`, the database keeps its name.
const archived = new pulumi.Config().get("archive");
const archive =
  archived && new dbplatform.Database("archive", { group: group.id }, { import: archived, protect: true });

// The databases that can currently be restored, by name.
const deleted = dbplatform.getDeletedDatabasesOutput({}).databases;
export const restorable = deleted.apply((databases) =>
  Object.fromEntries(databases.map(({ name, dbId }) => [name, dbId])),
);

export const groupName = group.name;
export const ordersName = orders.name;
export const dbIds = { orders: orders.dbId, archive: archive ? archive.dbId : null };
