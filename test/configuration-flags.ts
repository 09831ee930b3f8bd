import { CONFIGURATION } from "../platform/contract/configuration-fields";
import { configurationNames } from "../provider/resources/database/configuration-fields";

const names = Object.entries(CONFIGURATION).flatMap(([name, { kind }]) => (kind === "flag" ? [name] : []));

/** Returns all flags of a database's configuration with the same value, by their names in the platform's API. */
export const flags = (value: boolean) => Object.fromEntries(names.map((name) => [name, value]));

/** Returns all flags of a database's configuration with the same value, by their names in the provider. */
export const flagSettings = (value: boolean) => configurationNames.fromWire(flags(value)) as Record<string, boolean>;
