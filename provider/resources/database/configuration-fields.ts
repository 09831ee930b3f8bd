import * as z from "zod";
import type { Plain, Problem } from "../../../kit/field";
import { REJECTABLE_ON_AWS } from "../../../platform/contract/configuration";
import * as contract from "../../../platform/contract/configuration-fields";
import { sameSet } from "../../../platform/values/set";
import { isSizeNoLessPrecise, sameSize, sizeProblem } from "../../../platform/values/size";
import { field } from "../../platform";
import { renaming } from "../../renaming";
import { REPORTED_ON_AWS } from "./messages";

export type Settings = { [Name in contract.ConfigurationField as OwnName<Name>]: contract.Configuration[Name] };

type OwnName<Wire extends string> = Wire extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<OwnName<Rest>>}`
  : Wire;

const ownName = (wire: string): string => wire.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

export const configurationNames = renaming(
  Object.fromEntries(contract.CONFIGURATION_FIELDS.map((name) => [ownName(name), name])),
);

export const settingsShownIn = (place: contract.Place) =>
  contract.fieldsShownIn(place).map(ownName) as (keyof Settings)[];

/** The default configuration of a new database. */
export const UNCONFIGURED = configurationNames.fromWire(contract.UNCONFIGURED) as Readonly<Settings>;

/** Options of an input that is a size, in bytes or with a unit. An empty string means no limit. */
export const sizeOptions = {
  valid: sizeProblem,
  same: (wanted: string, observed = "") => sameSize(wanted, observed),
  keeps: (wanted: string, observed = "") => isSizeNoLessPrecise(wanted, observed),
};

type ListField = Extract<(typeof contract.CONFIGURATION)[contract.ConfigurationField], { kind: "list" }>;

/** Options of an input that is a list of texts in any order. */
const listOptions = (property: string, { problemOf, same }: ListField) => ({
  valid: (list: readonly string[]) =>
    list
      .map((text, index) => ({ property: `${property}[${index}]`, reason: problemOf(text) }))
      .find((problem): problem is Problem => problem.reason !== undefined),
  same: (wanted: readonly string[], observed: readonly string[] = []) => sameSet(wanted, observed, same),
});

function settingOf(name: contract.ConfigurationField) {
  const row = contract.CONFIGURATION[name];
  const isRejectable = REJECTABLE_ON_AWS.some((rejectable) => rejectable === name);
  // Lists of databases do not show every setting, and a configuration that is read costs a request.
  const common = {
    describe: isRejectable ? `${row.describe} ${REPORTED_ON_AWS}` : row.describe,
    isRecordedIfSet: true,
  } as const;
  switch (row.kind) {
    case "flag":
      return field.plain(z.boolean().optional(), { ...common, default: row.unset });
    case "size":
      return field.plain(z.string().optional(), { ...common, default: row.unset, ...sizeOptions });
    case "list":
      return field.plain(z.array(z.string()).optional(), {
        ...common,
        default: row.unset,
        ...listOptions(ownName(name), row),
      });
  }
}

/** All configuration fields of the platform's API, under the provider's names. */
export const settings = Object.fromEntries(
  contract.CONFIGURATION_FIELDS.map((name) => [ownName(name), settingOf(name)]),
) as { readonly [Name in keyof Settings]: Plain<Settings[Name] | undefined> };
