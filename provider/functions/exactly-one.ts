import type { Problem } from "../resource/traits";

/** For what has a name and an id: one of the two must be given, and not both. */
export const exactlyOne =
  <Args extends object>(one: keyof Args & string, other: keyof Args & string) =>
  (args: Args): Problem | undefined => {
    if (args[one] !== undefined && args[other] !== undefined)
      return { property: other, reason: `give either \`${one}\` or \`${other}\`, not both` };
    if (args[one] === undefined && args[other] === undefined)
      return { property: one, reason: `is required, or \`${other}\` in its place` };
    return undefined;
  };
