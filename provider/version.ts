import { keywords, pulumi, version } from "../package.json";

export const VERSION: string = version;

/** Keywords of the package for the npm registry and Pulumi's registry, including the package's kind and category. */
export const KEYWORDS: readonly string[] = keywords;

/** Address from which Pulumi downloads the plugin. `undefined` in builds that are not releases. */
export const DOWNLOAD_URL = (pulumi as { readonly server?: string }).server;
