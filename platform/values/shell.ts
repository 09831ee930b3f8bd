/** Returns the text as one word for a POSIX shell. Inside single quotes, no character but the quote itself is special. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
