import type { AnyResource } from "../../kit/definition";
import type { Context } from "../../kit/lifecycle/context";
import type { Properties } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";

/** A resource as the engine keeps it in the state. */
export interface ManagedResource {
  readonly resource: AnyResource;
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

export const made = async (resource: AnyResource, inputs: Properties, context: Context): Promise<ManagedResource> => ({
  resource,
  inputs,
  ...(await create(resource, inputs, context)),
});
