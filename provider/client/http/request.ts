import { Refusal } from "../../../kit/refusal";
import { unusableParameter } from "../messages";
import { FormData } from "./undici";

/** Inserts the parameters into the path of a request. */
export function requestPath(template: string, params: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? "");
    // An empty value, `.` or `..` would change the path, and a lone surrogate cannot be encoded.
    if (/^\.{0,2}$/.test(value) || !value.isWellFormed())
      throw new Refusal("invalid", { answer: unusableParameter({ parameter: name, value }) });
    return encodeURIComponent(value);
  });
}

/** Returns a query string that begins with `?`, or an empty string if no parameter has a value. */
export function queryString(query: object | undefined): string {
  const present = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return present.length === 0 ? "" : `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`;
}

export function formDataOf(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, value);
  return form;
}

/** Converts the name of an operation to words: `createApiToken` becomes "create API token". */
export const actionOf = (operation: string): string =>
  operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(" api ", " API ");

/**
 * Reads a field of a request or response.
 *
 * @param path Field names separated by dots, for example `body.name`.
 */
export const fieldOf = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
