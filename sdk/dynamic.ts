import { throwUnlessNewEnough } from "./needed-node";

throwUnlessNewEnough("pulumi-dbplatform/dynamic");

export type { Options } from "./dynamic-class";
export * from "./dynamic-exports";
export type { FunctionOptions } from "./dynamic-function";
export * from "./dynamic-provider";
