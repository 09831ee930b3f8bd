import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";

// The group belongs to tokens/index.ts.
const group = new pulumi.Config().require("group");

// The pipeline may not delete. What is taken out of the program, or made anew elsewhere, stays on the platform
// (`retainOnDelete`) until a person deletes it.
const retained = { retainOnDelete: true };

const orders = new dbplatform.Database("orders", { group }, retained);
new dbplatform.DatabaseConfiguration("orders", { database: orders.dbId, sizeLimit: "1gb", deleteProtection: true });

const catalogue = new dbplatform.Database("catalogue", { group }, retained);

export const hostnames = { orders: orders.hostname, catalogue: catalogue.hostname };
