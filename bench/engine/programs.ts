import type { PulumiFn } from "@pulumi/pulumi/automation";
import * as plugin from "pulumi-dbplatform";

type Door = Pick<typeof plugin, "Database" | "DatabaseConfiguration">;

export const databases =
  (count: number, { Database }: Pick<Door, "Database"> = plugin): PulumiFn =>
  async () => {
    for (let index = 0; index < count; index++) new Database(`db-${index}`, { name: `db-${index}`, group: "default" });
  };

export const configuredDatabases =
  (count: number, { Database, DatabaseConfiguration }: Door = plugin): PulumiFn =>
  async () => {
    for (let index = 0; index < count; index++) {
      const { id } = new Database(`db-${index}`, { name: `db-${index}`, group: "default" });
      new DatabaseConfiguration(`db-${index}`, { database: id, sizeLimit: "1gb", allowedIps: ["10.0.0.0/8"] });
    }
  };
