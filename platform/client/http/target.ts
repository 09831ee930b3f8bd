import { Refusal } from "../refusal";

/** The path of one request. */
export function pathOf(template: string, params: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? "");
    // `.` and `..` are legal in a segment and would change the path all the same; half a character has no encoding.
    if (/^\.{0,2}$/.test(value) || !value.isWellFormed())
      throw new Refusal("invalid", { answer: `${name} cannot be ${JSON.stringify(value)}` });
    return encodeURIComponent(value);
  });
}

/** What follows the path: nothing, or `?` and the parameters that have a value. */
export function queryOf(query: object | undefined): string {
  const present = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return present.length === 0 ? "" : `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`;
}
