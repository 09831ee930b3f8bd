import * as z from "zod";
import { type ConfigurationField, fieldSchemas } from "./configuration-fields";
import { databasePath, oneDatabase } from "./database";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPaths } from "./organization";

const DatabaseConfiguration = lazy(() => z.object(fieldSchemas("answer")).meta({ id: "DatabaseConfiguration" }));

/** Settings that databases on AWS reject, as users report. Nobody has measured it. */
export const REJECTABLE_ON_AWS = ["size_limit", "allow_attach"] as const satisfies readonly ConfigurationField[];

/** The fields of a request that changes a configuration, all of them optional. */
export const ConfigurationChanges = lazy(() => z.object(fieldSchemas("request")));

const paths = organizationPaths(`${oneDatabase}/configuration`);

export const configurations = {
  retrieveDatabaseConfiguration: endpoint({
    summary: "Retrieve the configuration of a database.",
    method: "GET",
    paths,
    params: databasePath,
    result: DatabaseConfiguration,
    access: { level: "group", scope: "read" },
  }),

  /**
   * Changes a configuration (§4.3). An absent field stays unchanged. `null` clears a field that holds a list, and leaves
   * any other field unchanged (wire-facts 13.9).
   */
  updateDatabaseConfiguration: endpoint({
    summary: "Change the configuration of a database.",
    description: "Omitted fields stay unchanged. `null` clears the two lists and leaves other fields unchanged.",
    method: "PATCH",
    paths,
    params: databasePath,
    body: ConfigurationChanges,
    result: DatabaseConfiguration,
    changes: ["databases"],
    access: { level: "group", scope: "db:configure", role: "member" },
  }),
};
