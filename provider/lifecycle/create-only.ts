import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../../platform/client/refusal";
import type { Platform } from "../resources/platform";
import type { AnyResource } from "../resources/resource";
import { isKnown, markOf, met, type Properties, titleOf } from "./properties";

interface Changed {
  readonly oldInputs: Properties;
  readonly state: Properties;
  readonly news: Properties;
}

/** The change of an argument that says only how something is made is told, since nothing else comes of it. */
export function warnWithoutEffect(resource: AnyResource, changed: Changed, { warn }: Platform): void {
  for (const property of createOnly(resource)) {
    if (isSame(resource, property, changed)) continue;
    warn(
      `\`${property}\` is used only when a ${titleOf(resource, {})} is made, so its change does nothing to ${titleOf(resource, changed.state)}. ${markOf(resource, property).createOnly}`,
    );
  }
}

/** What is made in place of another one is made as the program says now. */
export function warnUsedAgain(resource: AnyResource, { state, news }: Changed, { warn }: Platform): void {
  const again = createOnly(resource).filter((property) => news[property] !== undefined);
  if (again.length === 0) return;
  const names = again.map((property) => `\`${property}\``).join(" and ");
  warn(`What replaces ${titleOf(resource, state)} is made anew with ${names}, as the program says now.`);
}

/** Refuses, reading only, what nothing could be made with. */
export async function mustBeCreatable(resource: AnyResource, args: Properties, platform: Platform): Promise<void> {
  const why = await obstacle(resource, args, platform);
  if (why) throw new Refusal("invalid", { answer: why });
}

/** Why nothing can be made with these arguments, as far as they are known. `gone`: id of what is deleted before. */
export async function obstacle(
  resource: AnyResource,
  args: Properties,
  platform: Platform,
  gone?: string,
): Promise<string | undefined> {
  for (const [property, value] of Object.entries(args)) {
    const problem = isGiven(value)
      ? await markOf(resource, property).meaning?.obstacle?.(value, platform, gone)
      : undefined;
    if (problem) return `${problem.property}: ${problem.reason}`;
  }
  return undefined;
}

const createOnly = (resource: AnyResource): string[] =>
  Object.keys(resource.args.shape).filter((property) => markOf(resource, property).createOnly);

const isGiven = (value: unknown): value is NonNullable<unknown> =>
  value !== undefined && value !== null && isKnown(value);

/** What is not known yet may turn out to be no change. */
function isSame(resource: AnyResource, property: string, { oldInputs, state, news }: Changed): boolean {
  const wanted = news[property];
  if (!isKnown(wanted) || isDeepStrictEqual(wanted, oldInputs[property])) return true;
  return wanted !== undefined && met(resource, property, { wanted, observed: state });
}
