/** Returns a pattern for `like … escape '\\'` that matches texts containing the given text, compared in lower case. */
export const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
