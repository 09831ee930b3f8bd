import type { Refusal } from "../../kit/refusal";
import { PLAN_REFUSAL } from "../../platform/contract/error";
import type { PlatformContext } from "../platform";
import { planHidesDeleted } from "../resources/messages";
import { forbiddenDeletedList } from "./messages";

/** Explains whether the plan or the API token prevents listing deleted objects. */
export const whyDeletedUnlisted = (
  { code, message }: Refusal,
  { platform: { organization } }: PlatformContext,
): string => (code === PLAN_REFUSAL ? planHidesDeleted(organization.slug) : forbiddenDeletedList(message));
