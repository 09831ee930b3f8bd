import type { AnyResource } from "../definition";
import type { Comparison } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import { describeMovedLastingSettings, describeSettingsLeft, settingsLeft } from "../lifecycle/lasting-settings";
import { notDeleted } from "../lifecycle/messages";
import { isKnown, type Properties, type State } from "../lifecycle/properties";
import { explainReplacedKept } from "../lifecycle/replaced-object";
import { importElsewhere } from "../lifecycle/restore/messages";
import { titleOf } from "../phrases";
import type { Property } from "../property";
import type { Provider } from "../provider";
import { Refusal } from "../refusal";
import { environmentDigests } from "../settings";
import {
  environmentsDiffer,
  importOfOther,
  replacementDuringImport,
  replacementUnseen,
  STILL_TO_BE_DELETED,
  settingsUnseen,
} from "./messages";
import { dynamicImportIdOf } from "./values";

/**
 * Checks that the program's process, which answers functions, and this one have the same settings in their environments.
 *
 * @param there Digests of the settings in the environment of the program's process.
 * @param stackSettings The settings of the stack, which win over the environment of both processes.
 * @throws Refusal if functions would answer for another account.
 */
export function assertDynamicEnvironmentShared(
  { name: provider, settings }: Pick<Provider, "name" | "settings">,
  there: Properties,
  stackSettings: Properties,
): void {
  const here = environmentDigests(settings, process.env);
  const name = Object.keys(there).find(
    (setting) => stackSettings[setting] === undefined && there[setting] !== here[setting],
  );
  if (name === undefined) return;
  const variable = settings.environment?.[name] ?? name;
  throw new Refusal("conflict", environmentsDiffer({ provider, name, variable }));
}

/**
 * Checks that `import` names the object that the resource already manages.
 *
 * @throws Refusal if `import` names another object.
 */
export function assertDynamicImportsSame(id: string, news: Properties): void {
  const imported = dynamicImportIdOf(news);
  if (imported === undefined || imported === id) return;
  throw new Refusal("conflict", {
    answer: importOfOther({ id, imported: String(imported) }),
    advice: importElsewhere({ id: String(imported) }),
  });
}

/**
 * Checks that a resource with the option `import` is not replaced, because the new object would have another id.
 *
 * @throws Refusal if changed properties would replace the resource.
 */
export function assertDynamicNotReplaced(news: Properties, replaces: readonly string[]): void {
  const imported = dynamicImportIdOf(news);
  if (imported === undefined || replaces.length === 0) return;
  throw new Refusal("conflict", replacementDuringImport({ properties: replaces, imported: String(imported) }));
}

/**
 * Rejects a replacement caused by a changed secret. The program's text does not show such a change, and the preview of
 * a dynamic provider shows neither the property nor a warning.
 *
 * @throws Refusal if a changed secret would replace the resource.
 */
export function assertDynamicReplacementSeen(
  { resource, state, news }: Comparison,
  replacing: Iterable<Property>,
): void {
  const secret = [...replacing].find(({ name, isAlwaysSecret }) => isAlwaysSecret && isKnown(news[name]));
  if (secret === undefined) return;
  throw new Refusal("conflict", replacementUnseen({ title: titleOf(resource, state), property: secret.name }));
}

/** Rejects a resource that moves to another object, if settings would stay in force that no resource names. */
export async function assertDynamicMovedSettingsNamed(comparison: Comparison, context: Context): Promise<void> {
  const left = await describeMovedLastingSettings(comparison, context);
  if (left.length > 0) throw new Refusal("conflict", { answer: settingsUnseen({ left }) });
}

/**
 * Rejects the deletion of the old object of a replacement that the program has taken back. No message could say that the
 * object is kept without a resource.
 */
export function assertDynamicNotDeclaredAgain(
  resource: AnyResource,
  existing: { readonly id: string; readonly state: State; readonly inputs: Properties },
  context: Context,
): void {
  const kept = explainReplacedKept(resource, existing, context);
  if (kept !== undefined) throw new Refusal("conflict", { answer: kept, advice: STILL_TO_BE_DELETED });
}

/**
 * Rejects the deletion of a resource whose object another resource manages, if settings would stay in force that no
 * resource names. A preview calls no dynamic provider about a deletion.
 */
export function assertDynamicLeftSettingsNamed(
  resource: AnyResource,
  existing: { readonly id: string; readonly state: State; readonly inputs: Properties },
  context: Context,
): void {
  const { id, state } = existing;
  const left = (settingsLeft(resource, existing, context) ?? []).map((settings) =>
    describeSettingsLeft(resource, id, settings, context),
  );
  if (left.length > 0)
    throw new Refusal("conflict", {
      tried: notDeleted({ title: titleOf(resource, state), id }),
      answer: settingsUnseen({ left }),
    });
}
