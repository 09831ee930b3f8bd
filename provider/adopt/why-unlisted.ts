import type { Refusal } from "../../platform/client/refusal";
import { PLAN_REFUSAL } from "../../platform/contract/error";
import type { ResourceContext } from "../resource/context";
import { planHidesDeleted } from "../resources/recovery/messages";
import { forbiddenDeletedList } from "./messages";

/** Explains whether the plan or the API token prevents listing deleted objects. */
export const whyDeletedUnlisted = ({ code, message }: Refusal, { organization }: ResourceContext): string =>
  code === PLAN_REFUSAL ? planHidesDeleted(organization.slug) : forbiddenDeletedList(message);
