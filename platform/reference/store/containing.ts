/** Returns a `like … escape '\\'` pattern that matches any lower-case string containing the lower-cased text. */
export const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
