import type { Refusal } from "../../platform/client/refusal";
import { PLAN_REFUSAL } from "../../platform/contract/error";
import { tokenOf } from "../command/type-token";
import type { ResourceContext } from "../resource/context";
import { planHidesDeleted } from "../resources/recovery/messages";
import type { LeftOut } from "./inventory";
import { forbiddenDeletedList } from "./messages";

export const leftOutJson = (leftOut: readonly LeftOut[]) =>
  leftOut.map(({ type, ...rest }) => ({ type: tokenOf(type), ...rest }));

/** Says why deleted objects could not be listed: because of the plan, or because of the API token. */
export const whyDeletedUnlisted = ({ code, message }: Refusal, { organization }: ResourceContext): string =>
  code === PLAN_REFUSAL ? planHidesDeleted(organization.slug) : forbiddenDeletedList(message);
