/** Matches the type tokens of the plugin and of the dynamic providers. */
const TOKEN = /^(?:dbplatform:index:|pulumi-nodejs:dynamic\/dbplatform:)(\w+)$/;

export const tokenOf = (type: string): string => `dbplatform:index:${type}`;

/** Returns the resource type of a token: `Database` for `dbplatform:index:Database`. `undefined` for other providers. */
export const typeOf = (token: string): string | undefined => TOKEN.exec(token)?.[1];
