import { pulumi, version } from "../package.json";

export const VERSION: string = version;

/** Address from which Pulumi downloads the plugin; only a release has one. */
export const DOWNLOAD_URL = (pulumi as { readonly server?: string }).server;
