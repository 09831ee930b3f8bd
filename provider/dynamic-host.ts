import { host } from "../kit/dynamic/host";
import { functions as definitions } from "./functions/list";
import { dbplatform } from "./provider";

export const { providers, secretArguments, functions, environment, isExpected } = host(dbplatform, definitions);
