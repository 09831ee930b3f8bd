import fc from "fast-check";
import type { Answer, Trouble } from "../faulty-wire";

const OTHER_ID = "0ddba115-0000-4000-8000-000000000000";
const DEEP = 100_000;
const MANY = 2_000;

/** Returns a handler that replaces the body of the platform's response, as a hostile server could. */
const lie =
  (tell: (truth: Answer) => string): Trouble =>
  async ({ forward, send }) => {
    const truth = await forward();
    send(truth.status, tell(truth));
  };

const inEveryObject = (more: string) =>
  lie(({ text }) => text.replace(/\{(?=\s*")/g, `{${more},`).replaceAll("{}", `{${more}}`));

const changed = (change: (key: string, value: unknown) => unknown) =>
  lie(({ text }) => JSON.stringify(JSON.parse(text), change));

/**
 * Repeats the first element of each list, but not of a list within a list, because an SQL result would then have billions
 * of values.
 */
const lengthened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length > 0 ? new Array(MANY).fill(value[0]) : value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, lengthened(each)]));
};

const nested = `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`;

const scalars = [null, true, 7, -1, 1e308, "", "x", "..", "/", "\u0000", [], {}];
const anyOf = (seed: number): unknown => fc.sample(fc.constantFrom(...scalars), { numRuns: 1, seed })[0];

/**
 * Names of the false responses that the provider cannot detect. If only one operation returns an id or a name, no other
 * response reveals that the value is false.
 */
export const BELIEVABLE: ReadonlySet<string> = new Set(["other ids", "other names"]);

export const lies: Readonly<Record<string, Trouble>> = {
  "`__proto__` everywhere": inEveryObject(
    '"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}',
  ),
  "what is nested deeply": inEveryObject(`"nested":${nested}`),
  "nothing but nesting": lie(() => nested),
  "lists without measure": lie(({ text }) => JSON.stringify(lengthened(JSON.parse(text)))),
  "other ids": lie(({ text }) => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, OTHER_ID)),
  "other names": changed((key, value) =>
    /^(name|slug|username|group)$/i.test(key) && typeof value === "string" ? "other" : value,
  ),
  "a page that is followed by itself": lie(({ text }) =>
    text.replace(/^\{/, '{"pagination":{"next":"same"},').replace(/"pagination":\{"next":"[^"]*"\}(?=\}$)/, '"x":1'),
  ),
  "the wrong types, 1": changed((key, value) => (typeof value === "object" ? value : anyOf(key.length))),
  "the wrong types, 2": changed((key, value) => (key === "" ? value : anyOf(key.length + 40))),
  "a refusal with control characters": ({ send }) => send(418, JSON.stringify({ error: "\u001b[2J\u0007gone" })),
};
