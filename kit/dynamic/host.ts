import type { dynamic } from "@pulumi/pulumi";
import { resources } from "../../provider/resources/list";
import { traitsOf } from "../lifecycle/properties";
import type { AnyResource } from "../resource/definition";
import { isSecret } from "../steps/check";
import { DynamicProvider } from "./provider";
import { withoutStacks } from "./thrown";

export { functions } from "./functions";
export { isExpected } from "./thrown";

export const providers: Readonly<Record<string, dynamic.ResourceProvider>> = Object.fromEntries(
  resources.map((resource) => [resource.type, withoutStacks(new DynamicProvider(resource))]),
);

type SecretTest = (value: unknown) => boolean;

/**
 * Functions that test whether an argument's value is secret, by resource type and argument name. The SDK classes call
 * them in the program's process, because a dynamic provider's Check cannot mark values as secret.
 */
export const secretArguments: Readonly<Record<string, Readonly<Record<string, SecretTest>>>> = Object.fromEntries(
  resources.map((resource) => [resource.type, secretTests(resource)]),
);

function secretTests(resource: AnyResource): Record<string, SecretTest> {
  const names = Object.keys(resource.args.shape).filter((name) => traitsOf(resource, name).semantics?.secret);
  return Object.fromEntries(names.map((name) => [name, (value: unknown) => isSecret(resource, name, value)]));
}
