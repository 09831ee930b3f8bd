import {
  CONFIGURATION,
  CONFIGURATION_FIELDS,
  type Configuration,
  type ConfigurationField,
  UNCONFIGURED,
} from "../../contract/configuration-fields";
import { asFlag, type ConfigurationColumns, type Flag } from "../store/schema";

type Value = Configuration[ConfigurationField];

type Changes = { readonly [Name in ConfigurationField]?: Configuration[Name] | null | undefined };

/**
 * Returns the columns to change. Absent fields stay unchanged. `null` clears the two list fields and leaves all other
 * fields unchanged (wire-facts 13.9).
 */
export function configurationColumns(changes: Changes): Partial<ConfigurationColumns> {
  const columns: { [Name in ConfigurationField]?: Flag | string } = {};
  for (const name of CONFIGURATION_FIELDS) {
    const value = changes[name] === null && isList(name) ? [] : changes[name];
    if (value !== undefined && value !== null) columns[name] = columnOf(value);
  }
  return columns as Partial<ConfigurationColumns>;
}

const isList = (name: ConfigurationField): boolean => CONFIGURATION[name].kind === "list";

function columnOf(value: Value): Flag | string {
  if (typeof value === "boolean") return asFlag(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const UNCONFIGURED_COLUMNS = configurationColumns(UNCONFIGURED) as Readonly<ConfigurationColumns>;

export function configurationOf(row: ConfigurationColumns): Configuration {
  const configuration: { [Name in ConfigurationField]?: Value } = {};
  for (const name of CONFIGURATION_FIELDS) configuration[name] = configurationValue(name, row[name]);
  return configuration as Configuration;
}

function configurationValue(name: ConfigurationField, column: Flag | string): Value {
  if (typeof column === "number") return column === 1;
  return isList(name) ? JSON.parse(column) : column;
}
