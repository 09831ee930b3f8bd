import type { PulumiFn } from "@pulumi/pulumi/automation";
import { Database, DatabaseConfiguration } from "pulumi-dbplatform";

export const databases =
  (count: number): PulumiFn =>
  async () => {
    for (let index = 0; index < count; index++) new Database(`db-${index}`, { name: `db-${index}`, group: "default" });
  };

export const configuredDatabases =
  (count: number): PulumiFn =>
  async () => {
    for (let index = 0; index < count; index++) {
      const { id } = new Database(`db-${index}`, { name: `db-${index}`, group: "default" });
      new DatabaseConfiguration(`db-${index}`, { database: id, sizeLimit: "1gb", allowedIps: ["10.0.0.0/8"] });
    }
  };
