/**
 * Returns whether a name matches a pattern.
 *
 * @param pattern `*` matches any text.
 */
export const matchesName = (name: string, pattern: string): boolean => patternOf(pattern).test(name);

const patternOf = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "s");
