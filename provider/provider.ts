import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Provider } from "../kit/provider";
import { engines, keywords, pulumi, version } from "../package.json";
import { connect } from "./connect";
import type { Platform } from "./platform";
import { resources } from "./resources/list";
import { settings } from "./settings";

/**
 * Reads the package schema, which is beside the folder of this source file and of the published bundle. It is kept in a
 * separate file, because the engine rarely asks for it.
 */
const readSchema = (): Promise<string> => readFile(join(__dirname, "../schema.json"), "utf8");

/** This provider, as the kit serves it. */
export const dbplatform: Provider<Platform, typeof settings.schema> = {
  name: "dbplatform",
  version,
  about: {
    displayName: "Database Platform",
    description:
      "Groups, SQLite databases (libSQL), their configuration, tokens and members of Turso Cloud, with five-day recovery.",
    // Keywords for the npm registry and Pulumi's registry, including the kind and category of the package.
    keywords,
    publisher: "The pulumi-dbplatform authors",
    license: "Apache-2.0",
    validateCredentialsOnNew: true,
    // The address from which Pulumi downloads the plugin. Only a release has one.
    downloadUrl: (pulumi as { readonly server?: string }).server,
    language: {
      nodejs: {
        packageName: "pulumi-dbplatform",
        pluginName: "dbplatform",
        respectSchemaVersion: true,
      },
      python: {
        respectSchemaVersion: true,
        pyproject: { enabled: true },
        requires: { pulumi: `${engines.pulumi},<4.0.0` },
      },
      // A release replaces the path with the address of its repository. Without it, Pulumi would write `example.com`.
      go: { respectSchemaVersion: true, importBasePath: "pulumi-dbplatform/sdk/go/dbplatform" },
    },
  },
  settings,
  resources,
  functions: async () => (await import("./functions/list.js")).functions,
  schema: readSchema,
  connect,
};
