/** Returns a name as a quoted identifier of SQL. */
export const sqlIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns a text as a literal of SQL. */
export const sqlTextLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
