import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";

// `protect` keeps Pulumi from deleting these. Somebody else still can, and that is what this example is about;
// `deleteProtection: true` would keep them from it too.
const group = new dbplatform.Group("shop", { location: "aws-eu-west-1" }, { protect: true });
const orders = new dbplatform.Database("orders", { group: group.id }, { protect: true });

// Applied again after its database was restored.
new dbplatform.DatabaseConfiguration("orders", { database: orders.dbId, sizeLimit: "1gb" });

// A deleted database that never was in this program. Without a `name` it keeps its own.
const archived = new pulumi.Config().get("archive");
const archive =
  archived && new dbplatform.Database("archive", { group: group.id }, { import: archived, protect: true });

// What could be restored now, by name.
const deleted = dbplatform.getDeletedDatabasesOutput({}).databases;
export const restorable = deleted.apply((databases) =>
  Object.fromEntries(databases.map(({ name, dbId }) => [name, dbId])),
);

export const groupName = group.name;
export const ordersName = orders.name;
export const dbIds = { orders: orders.dbId, archive: archive ? archive.dbId : null };
