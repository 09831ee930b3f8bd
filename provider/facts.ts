export type { Facts, MissingSetting } from "../kit/facts";

/** The user who made a change, and its origin: `cli`, `web`, `api` or any other string in the audit log. */
export interface Author {
  readonly author: string;
  readonly origin: string;
}

/** A database in a message about its group. */
export interface ContainedDatabase {
  readonly name: string;
  readonly id: string;
}
