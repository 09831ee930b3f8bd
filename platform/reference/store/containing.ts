/** Returns the pattern for `like … escape '\\'` that finds the text anywhere, in lower case. */
export const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
