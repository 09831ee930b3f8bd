import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { AnyResource } from "../definition";
import type { Problem } from "../field";
import { argumentShapeProblems, unknownArguments } from "../lifecycle/arguments";
import { declaredTwice, sameGeneratedName, sameValue } from "../lifecycle/messages";
import type { Propose } from "../lifecycle/naming";
import { FILLED_IN, isFilledInArgument, isKnown, type Properties, present, UNKNOWN } from "../lifecycle/properties";
import { canonicalResourceKey } from "../lifecycle/taken/taken";

/**
 * Checks a program's arguments. Returns the inputs as the program wrote them, and the problems found. Unknown values
 * are accepted. An omitted name is taken from the previous inputs (`olds`) or generated.
 */
export function check(resource: AnyResource, { news, olds, account, propose, claim }: CheckRequest): CheckAnswer {
  const { properties } = resource;
  // For `ignoreChanges`, the engine adds the old value of an input that programs do not write.
  const isIgnored = (name: string) =>
    properties.hasInput(name) && !properties.get(name).isWritten && isDeepStrictEqual(news[name], olds[name]);
  const written = Object.fromEntries(Object.entries(news).filter(([name]) => !isIgnored(name)));
  const failures = unknownArguments(resource.type, resource.args, written);
  const inputs: Record<string, unknown> = {};
  const filledIn: string[] = [];
  let isNameOmitted = false;

  for (const [property, schema] of Object.entries<z.ZodType>(resource.args.shape)) {
    let value: unknown = news[property] ?? undefined;
    if (value === undefined && resource.named && property === "name") {
      isNameOmitted = true;
      const { named } = resource;
      const proposal =
        olds.name === undefined ? propose(named.longest(account), named.within ?? "account") : { name: olds.name };
      if ("problem" in proposal) {
        failures.push({ property, reason: proposal.problem });
        continue;
      }
      value = proposal.name;
      if (olds[property] === undefined || isFilledInArgument(olds, property)) filledIn.push(property);
    }
    if (isKnown(value)) failures.push(...inputProblems(resource, property, { schema, value, account }));
    inputs[property] = isKnown(value) ? value : UNKNOWN;
  }
  if (failures.length === 0)
    for (const property of properties.inputs)
      if (!property.isWritten) inputs[property.name] = news[property.name] ?? property.derive(inputs);
  if (failures.length === 0 && isKnown(inputs)) {
    const problem = resource.valid?.(inputs);
    if (problem) failures.push(problem);
  }
  if (failures.length === 0) failures.push(...duplicateInputProblems(resource, { inputs, olds, filledIn, claim }));
  return {
    inputs: present({ ...inputs, [FILLED_IN]: filledIn.length > 0 ? filledIn : undefined }),
    isNameOmitted,
    failures,
    secrets: Object.keys(inputs).filter((property) => resource.properties.get(property).isSecret(inputs[property])),
  };
}

interface CheckAnswer {
  readonly inputs: Properties;
  /** Whether the program leaves the name out. */
  readonly isNameOmitted: boolean;
  readonly failures: Problem[];
  readonly secrets: string[];
}

interface CheckRequest {
  readonly news: Properties;
  /** The inputs of the previous update; empty for a new resource. */
  readonly olds: Properties;
  /** Name of the configured account. */
  readonly account: string;
  readonly propose: Propose;
  /**
   * Claims a value that only one resource of the program may use. Returns the URN of the resource that has already
   * claimed the value, if there is one.
   */
  readonly claim?: (property: string, what: string) => string | undefined;
}

interface Claiming {
  readonly inputs: Properties;
  readonly filledIn: readonly string[];
}

interface Unique {
  readonly property: string;
  readonly canonical?: ((value: string) => string) | undefined;
}

/**
 * Returns a problem if another resource in the program declares the same object. Resources of one type cannot share a
 * name or a key, and two parts of one kind cannot belong to one object. Some types allow only one resource per account.
 */
function duplicateInputProblems(
  resource: AnyResource,
  { inputs, olds, filledIn, claim }: Pick<CheckRequest, "olds" | "claim"> & Claiming,
): Problem[] {
  const { type, named, keyed, inside, single } = resource;
  const first = single && claim?.("", type);
  if (single && first !== undefined)
    return [{ property: "", reason: declaredTwice({ type, urn: first, only: single }) }];
  const unique = [
    ...(named ? [{ property: "name" }] : []),
    ...(keyed ? [{ property: keyed.by, canonical: (key: string) => canonicalResourceKey(resource, key) }] : []),
    ...(inside?.isPart ? [{ property: inside.by, canonical: inside.canonicalId }] : []),
  ];
  return unique.flatMap(({ property, canonical }: Unique) => {
    const value = inputs[property];
    if (!claim || typeof value !== "string") return [];
    const other = claim(property, `${type} ${property} ${canonical?.(value) ?? value}`);
    if (other === undefined) return [];
    const facts = { urn: other, isUnchanged: olds[property] === value };
    const isGenerated = filledIn.includes(property);
    const reason = isGenerated ? sameGeneratedName({ ...facts, name: value }) : sameValue({ ...facts, property });
    return [{ property, reason }];
  });
}

function inputProblems(
  resource: AnyResource,
  property: string,
  { schema, value, account }: { schema: z.ZodType; value: unknown; account: string },
): Problem[] {
  const misshapen = argumentShapeProblems(property, schema, value);
  if (misshapen.length > 0) return misshapen;
  const problem = resource.properties.get(property).problemWith(value, account);
  return problem ? [problem] : [];
}
