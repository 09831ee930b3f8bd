import type { z } from "zod";
import { canonicalUuid } from "../../platform/values/uuid";
import type { AnyResource } from "../resource/definition";
import type { Problem } from "../resource/traits";
import { shapeProblems, unknownArguments } from "./arguments";
import type { Propose } from "./naming";
import { isKnown, type Properties, present, traitsOf, UNKNOWN } from "./properties";

/** Key among the inputs that lists the arguments the program left out and we filled in. The engine never shows it. */
const FILLED_IN = "__defaults";

/**
 * The inputs to work with, as the program wrote them, and what is wrong with them. An unknown value passes; a name that
 * is left out is kept from `olds` or made.
 */
export function check(resource: AnyResource, { news, olds, organizationSlug, propose, claim }: CheckRequest): Checked {
  const failures = unknownArguments(resource.type, resource.args, news);
  const inputs: Record<string, unknown> = {};
  const filledIn: string[] = [];

  for (const [property, schema] of Object.entries<z.ZodType>(resource.args.shape)) {
    let value: unknown = news[property] ?? undefined;
    if (value === undefined && resource.named && property === "name") {
      const proposal =
        olds.name === undefined ? propose(resource.named.longest(organizationSlug)) : { name: olds.name };
      if ("problem" in proposal) {
        failures.push({ property, reason: proposal.problem });
        continue;
      }
      value = proposal.name;
      if (olds[property] === undefined || filledInBefore(olds, property)) filledIn.push(property);
    }
    if (isKnown(value)) failures.push(...problemsOf(resource, property, { schema, value, organizationSlug }));
    inputs[property] = isKnown(value) ? value : UNKNOWN;
  }
  if (failures.length === 0 && isKnown(inputs)) {
    const problem = resource.validate?.(inputs);
    if (problem) failures.push(problem);
  }
  if (failures.length === 0) failures.push(...claimedTwice(resource, inputs, claim));
  return {
    inputs: present({ ...inputs, [FILLED_IN]: filledIn.length > 0 ? filledIn : undefined }),
    failures,
    secrets: Object.keys(inputs).filter((property) => isSecret(resource, property, inputs[property])),
  };
}

interface Checked {
  readonly inputs: Properties;
  readonly failures: Problem[];
  /** Arguments that must not be shown, though the program does not call them secret. */
  readonly secrets: string[];
}

interface CheckRequest {
  readonly news: Properties;
  /** The inputs of before; empty for something new. */
  readonly olds: Properties;
  readonly organizationSlug: string;
  readonly propose: Propose;
  /** Claims a value that no two resources of the program can have. Returns who has claimed it already. */
  readonly claim?: (property: string, what: string) => string | undefined;
}

/** A name belongs to one object, and an owner has one part of a kind. */
function claimedTwice(
  { type, named, owned }: AnyResource,
  inputs: Properties,
  claim: CheckRequest["claim"],
): Problem[] {
  const unique = [...(named ? ["name"] : []), ...(owned?.isPart ? [owned.id] : [])];
  return unique.flatMap((property) => {
    const value = inputs[property];
    if (!claim || typeof value !== "string") return [];
    const other = claim(property, `${type} ${property} ${canonicalUuid(value) ?? value}`);
    if (other === undefined) return [];
    const advice = property === "name" ? "choose another one" : "write both into one resource";
    return [{ property, reason: `${other} of this program has the same \`${property}\`; ${advice}` }];
  });
}

/**
 * The inputs that declare what is there, as no program has written them yet: what the program then leaves out was never
 * in it, and is not managed. A name is kept as if it had been written.
 */
export function inputsOfImport(resource: AnyResource, state: Properties): Properties {
  const found = Object.keys(resource.args.shape).filter((property) => state[property] !== undefined);
  return {
    ...Object.fromEntries(found.map((property) => [property, state[property]])),
    [FILLED_IN]: found.filter((property) => !isGeneratedName(resource, property)),
  };
}

/** Whether the argument is a name that is generated where the program leaves it out. */
export const isGeneratedName = ({ named }: AnyResource, property: string): boolean =>
  named !== undefined && property === "name";

/** Whether the argument was left out of the program when these inputs were checked. */
export const filledInBefore = (inputs: Properties, property: string): boolean =>
  Array.isArray(inputs[FILLED_IN]) && inputs[FILLED_IN].includes(property);

/** The name that the program gives. A generated name is as good as never taken. */
export const chosenName = (args: Properties): string | undefined =>
  typeof args.name === "string" && !filledInBefore(args, "name") ? args.name : undefined;

function problemsOf(
  resource: AnyResource,
  property: string,
  { schema, value, organizationSlug }: { schema: z.ZodType; value: unknown; organizationSlug: string },
): Problem[] {
  const misshapen = shapeProblems(property, schema, value);
  if (misshapen.length > 0) return misshapen;
  if (value === undefined || value === null) return [];
  const problem = traitsOf(resource, property).semantics?.validate?.(value, organizationSlug);
  if (problem === undefined) return [];
  return [typeof problem === "string" ? { property, reason: problem } : problem];
}

/** Whether the value of an argument must not be shown, though the program does not call it secret. */
export function isSecret(resource: AnyResource, property: string, value: unknown): boolean {
  if (value === undefined || value === null || !isKnown(value)) return false;
  return traitsOf(resource, property).semantics?.secret?.(value) ?? false;
}
