import { throwUnlessNewEnough } from "./needed-node";

throwUnlessNewEnough("pulumi-dbplatform/dynamic");

export * from "./dynamic-exports";
export { type FunctionOptions, type Options, Provider } from "./dynamic-provider";
