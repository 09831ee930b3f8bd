import { shellWord } from "../../values/shell";

/** A request that the page has made, or an equal one. */
export interface SentRequest {
  readonly method: string;
  /** The path, in which every variable part is percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  /** Value of the header, with a variable of the shell in place of the credential. */
  readonly authorization?: string;
  /** Whether the server requires its key for the request. */
  readonly needsKey?: boolean;
}

/**
 * Returns a command line for a POSIX shell in which `serve` has set the environment. The line names variables in place
 * of the server's address and credentials, so it can be shown and shared.
 */
export function shellLine({ method, path, query = {}, body, authorization, needsKey }: SentRequest): string {
  const search = new URLSearchParams(query).toString();
  const isImplied = method === (body === undefined ? "GET" : "POST");
  return [
    "curl",
    ...(isImplied ? [] : [`-X ${method}`]),
    ...(authorization === undefined ? [] : [`-H "Authorization: ${authorization}"`]),
    ...(needsKey ? ['-H "Reference-Key: $DBPLATFORM_REFERENCE_KEY"'] : []),
    `"$DBPLATFORM_BASE_URL${path}${search && `?${search}`}"`,
    ...(body === undefined ? [] : [`-d ${shellWord(JSON.stringify(body))}`]),
  ].join(" ");
}
