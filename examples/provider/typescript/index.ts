// `pulumi package add ../plugin/pulumi-resource-d1` generates this package.
import * as d1 from "@pulumi/d1";

const orders = new d1.Database("orders", { name: "orders", readReplication: "auto" });
const generated = new d1.Database("generated");

export const id = orders.databaseId;
export const name = generated.name;
