import { Refusal } from "../../platform/client/refusal";
import type { Properties } from "../lifecycle/properties";
import { importElsewhere } from "../lifecycle/restore/messages";
import { importOfOther, replacementDuringImport } from "./messages";
import { HIDDEN } from "./values";

/** Returns the id given as `import` in the options. This protocol has no import, so Create and Update carry it out. */
export const importIdOf = (inputs: Properties): unknown => inputs[HIDDEN.import];

/** @throws Refusal if `import` names another object than the one that the resource manages. */
export function assertImportsSame(id: string, news: Properties): void {
  const imported = importIdOf(news);
  if (imported === undefined || imported === id) return;
  throw new Refusal("conflict", { ...importOfOther(id, imported), advice: importElsewhere(String(imported)) });
}

/**
 * @throws Refusal if changed properties replace a resource that still has `import`, because the new object has another
 *   id.
 */
export function assertNotReplaced(news: Properties, replaces: readonly string[]): void {
  const imported = importIdOf(news);
  if (imported === undefined || replaces.length === 0) return;
  throw new Refusal("conflict", replacementDuringImport(replaces, imported));
}
