import type { Properties } from "../lifecycle/properties";
import { importElsewhere } from "../lifecycle/restore/messages";
import { Refusal } from "../refusal";
import { importOfOther, replacementDuringImport } from "./messages";
import { HIDDEN } from "./values";

/**
 * Returns the id from the resource option `import`. Dynamic providers have no import operation, so Create and Update
 * import the object.
 */
export const importIdOf = (inputs: Properties): unknown => inputs[HIDDEN.import];

/**
 * Checks that `import` names the object that the resource already manages.
 *
 * @throws Refusal if `import` names another object.
 */
export function assertImportsSame(id: string, news: Properties): void {
  const imported = importIdOf(news);
  if (imported === undefined || imported === id) return;
  throw new Refusal("conflict", {
    ...importOfOther({ id, imported }),
    advice: importElsewhere({ id: String(imported) }),
  });
}

/**
 * Checks that a resource with the option `import` is not replaced, because the new object would have another id.
 *
 * @throws Refusal if changed properties would replace the resource.
 */
export function assertNotReplaced(news: Properties, replaces: readonly string[]): void {
  const imported = importIdOf(news);
  if (imported === undefined || replaces.length === 0) return;
  throw new Refusal("conflict", replacementDuringImport({ properties: replaces, imported }));
}
