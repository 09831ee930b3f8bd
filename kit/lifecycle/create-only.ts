import { isDeepStrictEqual } from "node:util";
import type { GivenNames } from "../context";
import type { AnyResource } from "../definition";
import { titleOf } from "../phrases";
import type { Property } from "../property";
import type { Comparison } from "./comparison";
import { createOnlyIgnored, createOnlyUsedAgain } from "./messages";
import { isKnown, type Properties } from "./properties";

/** Returns warnings about changed create-only arguments, because such changes have no effect. */
export const createOnlyChangeWarnings = (changed: Comparison, names?: GivenNames): string[] =>
  createOnlyArguments(changed.resource)
    .filter((property) => !isUsedContent(property, changed.news))
    .filter((property) => !isSameCreateOnly(property, changed, names))
    .map(({ name, instead }) =>
      createOnlyIgnored({ property: name, title: titleOf(changed.resource, changed.state), advice: String(instead) }),
    );

/**
 * Returns a warning if a replacement will use create-only arguments again, with the values that the program now sets.
 * Leaves out the content, because the author's warning about what a replacement loses says what the new object contains.
 */
export function createOnlyReuseWarnings({ resource, state, news }: Comparison): string[] {
  const again = createOnlyArguments(resource).flatMap(({ name, isContent }) =>
    isContent || news[name] === undefined ? [] : [name],
  );
  return again.length === 0 ? [] : [createOnlyUsedAgain({ properties: again, title: titleOf(resource, state) })];
}

const createOnlyArguments = ({ properties }: AnyResource): Property[] =>
  properties.inputs.filter(({ instead }) => instead !== undefined);

/** Returns whether the program no longer mentions the content with which the object was created. */
const isUsedContent = ({ name, isContent }: Property, news: Properties): boolean =>
  isContent && news[name] === undefined;

/**
 * Returns whether a value has not changed. An unknown value counts as unchanged, because it may turn out to be equal.
 */
function isSameCreateOnly(property: Property, { oldInputs, state, news }: Comparison, names?: GivenNames): boolean {
  const wanted = news[property.name];
  if (!isKnown(wanted) || isDeepStrictEqual(wanted, oldInputs[property.name])) return true;
  return wanted !== undefined && property.isEqual(wanted, state, names);
}
