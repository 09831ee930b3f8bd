import { version } from "../package.json";

/** Of the package, the schema, the plugin and the SDK alike. */
export const VERSION: string = version;
