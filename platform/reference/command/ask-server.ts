import { KEY_HEADER } from "../control/guard";
import { serverKeyInEnvironment } from "./key";
import { INVALID_URL, noServer, notReferenceApi, serverRefused, urlWithCredentials } from "./messages";

interface ServerRequest {
  /** The key of the server, if it has one. By default, the key in the environment. */
  readonly key: string | undefined;
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below `/_reference/`. */
  readonly path: string;
  readonly body?: object;
}

/**
 * Sends a request to one of the reference API's own routes, and returns the response.
 *
 * @throws Error if the address is invalid, if no reference API responds there, or if it rejects the request.
 */
export async function askServer(
  url: string,
  { key = serverKeyInEnvironment(), method, path, body }: ServerRequest,
): Promise<Record<string, unknown>> {
  const address = URL.canParse(`/_reference/${path}`, url) ? new URL(`/_reference/${path}`, url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) throw new Error(INVALID_URL);
  if (address.username !== "" || address.password !== "") throw new Error(urlWithCredentials(address));
  const headers = key ? { [KEY_HEADER]: key } : undefined;
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }), redirect: "manual" } as const;
  const answer = await fetch(address, sent).catch((thrown) => {
    // If a name has several addresses, only the code says why none of them can be reached.
    const { message, code } = Object(thrown.cause);
    throw new Error(noServer({ url, reason: message || code }), { cause: thrown });
  });
  const content = await answer.json().catch((thrown: unknown) => {
    throw thrown instanceof SyntaxError ? new Error(notReferenceApi({ url })) : thrown;
  });
  const { error } = Object(content);
  if (typeof error === "string") throw new Error(serverRefused({ url, reason: error }));
  if (!answer.ok) throw new Error(notReferenceApi({ url }));
  return Object(content);
}
