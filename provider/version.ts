import { version } from "../package.json";

/** The version of the package, the schema, the plugin and the SDKs. */
export const VERSION: string = version;
