import { message } from "../../values/message";

/**
 * Reports that a request from outside this machine lacks the server's key.
 *
 * @param header Name of the header for the key.
 */
export const keyRequired = message(
  (header: string) => `the header ${header} must contain the key that the server printed when it started`,
  ["Reference-Key"],
);
export const LOOPBACK_ONLY = "these routes are only served under a loopback name of this machine, such as localhost";
export const FOREIGN_PAGE = "a page of another origin cannot change the reference API";
export const faultMissing = message((id: string) => `there is no fault rule with id [${id}]`, ["7"]);
