import { isDeepStrictEqual } from "node:util";
import type { GivenNames } from "../context";
import type { AnyResource } from "../definition";
import { titleOf } from "../phrases";
import { createOnlyIgnored, createOnlyUsedAgain } from "./messages";
import { isKnown, meansTheSame, type Properties, propertyTraits } from "./properties";

interface Changed {
  readonly oldInputs: Properties;
  readonly state: Properties;
  readonly news: Properties;
}

/** Returns warnings about changed create-only arguments, because such changes have no effect. */
export const createOnlyChangeWarnings = (resource: AnyResource, changed: Changed, names?: GivenNames): string[] =>
  createOnlyArguments(resource)
    .filter((property) => !isUsedContent(resource, property, changed.news))
    .filter((property) => !isSameCreateOnly(resource, property, changed, names))
    .map((property) =>
      createOnlyIgnored({
        property,
        title: titleOf(resource, changed.state),
        advice: String(propertyTraits(resource, property).createOnly),
      }),
    );

/**
 * Returns a warning if a replacement will use create-only arguments again, with the values that the program now sets.
 * Leaves out the content, because the author's warning about what a replacement loses says what the new object contains.
 */
export function createOnlyReuseWarnings(resource: AnyResource, { state, news }: Changed): string[] {
  const again = createOnlyArguments(resource)
    .filter((property) => !propertyTraits(resource, property).content)
    .filter((property) => news[property] !== undefined);
  return again.length === 0 ? [] : [createOnlyUsedAgain({ properties: again, title: titleOf(resource, state) })];
}

const createOnlyArguments = (resource: AnyResource): string[] =>
  Object.keys(resource.args.shape).filter((property) => propertyTraits(resource, property).createOnly);

/** Returns whether the program no longer mentions the content with which the object was created. */
const isUsedContent = (resource: AnyResource, property: string, news: Properties): boolean =>
  propertyTraits(resource, property).content === true && news[property] === undefined;

/**
 * Returns whether a value has not changed. An unknown value counts as unchanged, because it may turn out to be equal.
 */
function isSameCreateOnly(
  resource: AnyResource,
  property: string,
  { oldInputs, state, news }: Changed,
  names?: GivenNames,
): boolean {
  const wanted = news[property];
  if (!isKnown(wanted) || isDeepStrictEqual(wanted, oldInputs[property])) return true;
  return wanted !== undefined && meansTheSame(resource, property, { wanted, observed: state, names });
}
