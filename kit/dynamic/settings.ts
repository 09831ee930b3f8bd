import type { AnyResource } from "../definition";
import type { Compared } from "../lifecycle/compare";
import type { Context } from "../lifecycle/context";
import { notDeleted } from "../lifecycle/messages";
import { type Properties, type State, titleOf } from "../lifecycle/properties";
import { describeSettingsLeft, describeSettingsMoved, settingsLeft } from "../lifecycle/settings-left";
import { Refusal } from "../refusal";
import { settingsUnseen } from "./messages";

/**
 * Rejects a resource that moves to another object, if settings would stay in force that no resource names (decision
 * 175).
 */
export async function assertMovedSettingsNamed(
  resource: AnyResource,
  compared: Compared,
  context: Context,
): Promise<void> {
  const left = await describeSettingsMoved(resource, compared, context);
  if (left.length > 0) throw new Refusal("conflict", { answer: settingsUnseen({ left }) });
}

/**
 * Rejects the deletion of a resource whose object another resource manages, if settings would stay in force that no
 * resource names. A preview calls no dynamic provider about a deletion.
 */
export function assertLeftSettingsNamed(
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
