/**
 * Returns a pattern for `like … escape '\\'` that matches lower-case strings that contain the given text in lower case.
 */
export const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
