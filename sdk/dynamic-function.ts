import { dynamicFunctions } from "../kit/dynamic/sdk";
import { type Provider, THIS_PACKAGE } from "./dynamic-provider";

export const { functionOf, functionWithoutArguments, outputFunctionOf, outputFunctionWithoutArguments } =
  dynamicFunctions<Provider>(THIS_PACKAGE);
