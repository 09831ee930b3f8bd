import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";

// The group is declared in tokens/index.ts.
const group = new pulumi.Config().require("group");

// The pipeline's token cannot delete databases. With `retainOnDelete`, a database that is removed from the program or
// replaced stays on the platform until a person deletes it.
const retained = { retainOnDelete: true };

const orders = new dbplatform.Database("orders", { group }, retained);
new dbplatform.DatabaseConfiguration("orders", { database: orders.dbId, sizeLimit: "1gb", deleteProtection: true });

const catalogue = new dbplatform.Database("catalogue", { group }, retained);

export const hostnames = { orders: orders.hostname, catalogue: catalogue.hostname };
