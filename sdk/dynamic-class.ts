import { dynamicClasses } from "../kit/dynamic/sdk";
import { type Provider, THIS_PACKAGE } from "./dynamic-provider";

/** Returns a resource class with the name, arguments and outputs of the plugin's class. */
export const dynamicClass = dynamicClasses<Provider>(THIS_PACKAGE);
