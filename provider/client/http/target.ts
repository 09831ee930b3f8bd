import { Refusal } from "../../../kit/refusal";
import { invalidParameter } from "../messages";

/** Inserts the parameters into the path of a request. */
export function pathOf(template: string, params: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? "");
    // An empty value, `.` or `..` would change the path, and a lone surrogate cannot be encoded.
    if (/^\.{0,2}$/.test(value) || !value.isWellFormed()) throw new Refusal("invalid", invalidParameter(name, value));
    return encodeURIComponent(value);
  });
}

/** Returns a query string that begins with `?`, or an empty string if no parameter has a value. */
export function queryOf(query: object | undefined): string {
  const present = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return present.length === 0 ? "" : `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`;
}
