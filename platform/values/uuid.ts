const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether the string is a UUID in the platform's spelling: lower case with hyphens. */
export const isCanonicalUuid = (text: string): boolean => CANONICAL.test(text);

/**
 * Converts a UUID from any common spelling (upper case, braces, `urn:uuid:`) to the platform's spelling. Returns
 * `undefined` for any other string.
 */
export function canonicalUuid(text: string): string | undefined {
  if (isCanonicalUuid(text)) return text;
  const hex = text
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:|[{}-]/g, "");
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
