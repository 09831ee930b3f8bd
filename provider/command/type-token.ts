/** Matches the type tokens of the plugin and of the dynamic providers. */
const TOKEN = /^(?:dbplatform:index:|pulumi-nodejs:dynamic\/dbplatform:)(\w+)$/;
export const typeTokenOf = (type: string): string => `dbplatform:index:${type}`;

/**
 * Returns the resource type of a token, such as `Database` for `dbplatform:index:Database`, or `undefined` if the token
 * belongs to another provider.
 */
export const typeOfToken = (token: string): string | undefined => TOKEN.exec(token)?.[1];
