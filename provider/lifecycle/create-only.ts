import { isDeepStrictEqual } from "node:util";
import type { ResourceContext } from "../resource/context";
import type { AnyResource } from "../resource/definition";
import { isKnown, met, type Properties, titleOf, traitsOf } from "./properties";

interface Changed {
  readonly oldInputs: Properties;
  readonly state: Properties;
  readonly news: Properties;
}

/** The change of an argument that says only how something is made is told, since nothing else comes of it. */
export function warnWithoutEffect(resource: AnyResource, changed: Changed, { warn }: ResourceContext): void {
  for (const property of createOnly(resource)) {
    if (isSame(resource, property, changed)) continue;
    warn(
      `\`${property}\` is used only when a ${titleOf(resource, {})} is made, so its change does nothing to ${titleOf(resource, changed.state)}. ${traitsOf(resource, property).createOnly}`,
    );
  }
}

/** What is made in place of another one is made as the program says now. */
export function warnUsedAgain(resource: AnyResource, { state, news }: Changed, { warn }: ResourceContext): void {
  const again = createOnly(resource).filter((property) => news[property] !== undefined);
  if (again.length === 0) return;
  const names = again.map((property) => `\`${property}\``).join(" and ");
  warn(`What replaces ${titleOf(resource, state)} is made anew with ${names}, as the program says now.`);
}

const createOnly = (resource: AnyResource): string[] =>
  Object.keys(resource.args.shape).filter((property) => traitsOf(resource, property).createOnly);

/** What is not known yet may turn out to be no change. */
function isSame(resource: AnyResource, property: string, { oldInputs, state, news }: Changed): boolean {
  const wanted = news[property];
  if (!isKnown(wanted) || isDeepStrictEqual(wanted, oldInputs[property])) return true;
  return wanted !== undefined && met(resource, property, { wanted, observed: state });
}
