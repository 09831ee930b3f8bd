/** The engines of databases. An engine is chosen when a database is created, and never changes. */
export const ENGINES = ["libsql", "tursodb"] as const;

export type Engine = (typeof ENGINES)[number];
