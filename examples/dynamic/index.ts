import { Database, DatabaseConfiguration } from "pulumi-dbplatform/dynamic";

// These classes have the same names as the plugin's classes, but need no `plugins` in Pulumi.yaml. docs/dynamic.md
// lists the differences. Most importantly, Pulumi detects drift only with `--refresh`, so `pulumi up --refresh` is
// needed to restore a database that was deleted outside Pulumi.
const orders = new Database("orders", { group: "default" }, { protect: true });
new DatabaseConfiguration("orders", { database: orders.dbId, sizeLimit: "1gb" });

export const dbId = orders.dbId;
export const hostname = orders.hostname;
