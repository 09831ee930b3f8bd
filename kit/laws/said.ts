import { isSecret, traitsOf } from "../lifecycle/properties";
import type { Managed } from "./engine";
import type { Played } from "./engine-run";

/** Matches names that belong to one provider: environment variables, settings, types of resources and functions. */
const NAMES = [
  { pattern: /\b([A-Z][A-Z0-9]*)_[A-Z0-9_]+\b/g, isOf: (text: string, name: string) => text === variable(name) },
  { pattern: /\bconfig (?:set|rm|get)(?: --\w+)* (\w[\w-]*):/g, isOf: (text: string, name: string) => text === name },
  { pattern: /\b(\w[\w-]*):index:?\w*/g, isOf: (text: string, name: string) => text === name },
];

const variable = (name: string): string => name.toUpperCase().replaceAll("-", "_");

/** Environment variables that belong to Pulumi itself. */
const PULUMI = /^PULUMI_/;

/** Returns what a message says that only makes sense for another provider. */
export const foreignNames = (text: string, provider: string): string[] =>
  NAMES.flatMap(({ pattern, isOf }) =>
    [...text.matchAll(pattern)]
      .filter(([whole, name = ""]) => !PULUMI.test(whole) && !isOf(name, provider))
      .map(([whole]) => whole),
  );

/** Returns the values of a resource that Pulumi must keep secret, which are long enough to be recognized. */
export function secretsIn(
  { resources }: Played,
  { type, inputs, outputs }: Managed,
): { readonly property: string; readonly value: string }[] {
  const resource = resources.find((one) => one.type === type);
  if (!resource) return [];
  const values = { ...outputs, ...inputs };
  const hidden = Object.keys(values).filter(
    (property) =>
      resource.shownOnce.includes(property) ||
      (property in resource.args.shape &&
        (traitsOf(resource, property).writeOnly !== undefined || isSecret(resource, property, values[property]))),
  );
  return hidden.flatMap((property) => textsIn(values[property]).map((value) => ({ property, value })));
}

const SHORTEST = 8;

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value].filter(({ length }) => length >= SHORTEST)
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
