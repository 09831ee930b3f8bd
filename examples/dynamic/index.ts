import { Database, DatabaseConfiguration } from "pulumi-dbplatform/dynamic";

// The same classes, without `plugins` in Pulumi.yaml. What differs is in docs/dynamic.md; above all, drift is only
// looked for with `--refresh`, so `pulumi up --refresh` restores what was deleted outside.
const orders = new Database("orders", { group: "default" }, { protect: true });
new DatabaseConfiguration("orders", { database: orders.dbId, sizeLimit: "1gb" });

export const dbId = orders.dbId;
export const hostname = orders.hostname;
