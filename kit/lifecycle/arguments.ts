import * as z from "zod";
import type { AnyResource } from "../definition";
import type { Form } from "../facts";
import type { Problem } from "../field";
import {
  ANY_OBJECT,
  FORMS,
  OTHER_STRING,
  objectForm,
  REQUIRED,
  unknownArgument,
  unknownProperties,
  wrongForm,
  wrongValue,
} from "./messages";
import { isGeneratedName } from "./naming";
import { FILLED_IN, isFilledInArgument, type Properties } from "./properties";

const forms: Readonly<Record<string, Form>> = FORMS;

/**
 * Returns one problem for each unknown argument.
 *
 * @param owner The resource, function or list as it appears in error messages.
 */
export function unknownArguments(owner: string, args: z.ZodObject, given: Properties): Problem[] {
  const names = Object.keys(args.shape);
  return Object.keys(given)
    .filter((property) => !Object.hasOwn(args.shape, property) && !property.startsWith("__"))
    .map((property) => ({ property, reason: unknownArgument({ owner, argument: property, known: names }) }));
}

export function argumentShapeProblems(property: string, schema: z.ZodType, value: unknown): Problem[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map((issue) => ({
    property: argumentPath(property, issue.path),
    reason: argumentShapeReason(issue, schema, value),
  }));
}

/**
 * Explains what is wrong with the type or shape of a value, and what to write instead. Never repeats the value, which
 * may be a secret.
 */
function argumentShapeReason(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): string {
  const given = issue.path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)?.[key], value);
  if (given === undefined) return REQUIRED;
  switch (issue.code) {
    case "invalid_type": {
      const form = forms[issue.expected] ?? {
        name: ANY_OBJECT,
        written: objectForm({ firstProperty: String(argumentShapeKeys(schema)[0]) }),
      };
      return wrongForm({ form, given: givenForm(given) });
    }
    case "invalid_value":
      return wrongValue({ allowed: issue.values, given: typeof given === "string" ? OTHER_STRING : givenForm(given) });
    case "unrecognized_keys":
      return unknownProperties({ unknown: issue.keys, properties: argumentShapeKeys(schema) });
    default:
      return issue.message;
  }
}

function givenForm(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return FORMS.array.name;
  return forms[typeof value]?.name ?? ANY_OBJECT;
}

function argumentShapeKeys(schema: z.ZodType): string[] {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/**
 * Builds a property path in the engine's syntax: `keepers` and `["a b"]` become `keepers["a b"]`. A key with a
 * backslash is omitted, because the engine has no way to escape a backslash and fails on a path that it cannot parse.
 */
export const argumentPath = (property: string, rest: readonly PropertyKey[]): string =>
  rest.reduce<string>((path, key) => {
    if (typeof key === "number") return `${path}[${key}]`;
    const name = String(key);
    if (name.includes("\\")) return path;
    return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}["${name.replaceAll('"', '\\"')}"]`;
  }, property);

/**
 * Returns inputs that describe an imported object. All inputs except the name count as filled in by the provider, so an
 * update does not reset a property that the program omits.
 */
export function argumentsFromState(resource: AnyResource, state: Properties): Properties {
  const found = Object.keys(resource.args.shape).filter((property) => state[property] !== undefined);
  return {
    ...Object.fromEntries(found.map((property) => [property, state[property]])),
    [FILLED_IN]: found.filter((property) => !isGeneratedName(resource, property)),
  };
}

/** Returns the name if the program sets it. Generated names are ignored, because they practically never conflict. */
export const chosenNameArgument = (args: Properties): string | undefined =>
  typeof args.name === "string" && !isFilledInArgument(args, "name") ? args.name : undefined;
