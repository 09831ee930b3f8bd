/** The extensions of the SQL engine that a group can have (wire-facts 2.2). */
export const EXTENSIONS = [
  "vector",
  "vec",
  "crypto",
  "fuzzy",
  "math",
  "stats",
  "text",
  "unicode",
  "uuid",
  "regexp",
] as const;

/** The value that enables every extension. */
export const ALL_EXTENSIONS = "all" as const;
