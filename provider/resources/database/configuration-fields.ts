import * as z from "zod";
import type { Plain, Problem } from "../../../kit/field";
import * as contract from "../../../platform/contract/configuration-fields";
import { addressProblem, sameAddress, vpcEndpointProblem } from "../../../platform/values/address";
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

/** The default configuration of a new database. */
export const UNCONFIGURED = configurationNames.fromWire(contract.UNCONFIGURED) as Readonly<Settings>;

/** Options of an input that is a size, in bytes or with a unit. An empty string means no limit. */
export const sizeOptions = {
  valid: sizeProblem,
  same: (wanted: string, observed = "") => sameSize(wanted, observed),
  keeps: (wanted: string, observed = "") => isSizeNoLessPrecise(wanted, observed),
};

/** Options of a setting. Lists do not show every setting, and a configuration that is read costs a request. */
const fieldOptions = <Name extends keyof Settings>(name: Name) =>
  ({ default: UNCONFIGURED[name], isRecordedIfSet: true }) as const;

const listFieldOptions = (
  name: "allowedIps" | "allowedAwsVpcIds",
  problemOf: (text: string) => string | undefined,
  same?: (one: string, other: string) => boolean,
) => ({
  ...fieldOptions(name),
  valid: (list: readonly string[]) =>
    list
      .map((text, index) => ({ property: `${name}[${index}]`, reason: problemOf(text) }))
      .find((problem): problem is Problem => problem.reason !== undefined),
  same: (wanted: readonly string[], observed: readonly string[] = []) => sameSet(wanted, observed, same),
});

/** All configuration fields of the platform's API, under the provider's names. */
export const settings = {
  sizeLimit: field.plain(z.string().optional(), {
    describe: `Largest size of the database: whole bytes, or a number with a unit ("256mb", "1gb"). Empty: no limit. ${REPORTED_ON_AWS}`,
    ...fieldOptions("sizeLimit"),
    ...sizeOptions,
  }),
  allowAttach: field.plain(z.boolean().optional(), {
    describe: `Whether other databases may be attached to this one. ${REPORTED_ON_AWS}`,
    ...fieldOptions("allowAttach"),
  }),
  blockReads: field.plain(z.boolean().optional(), {
    describe: "Whether all reads are blocked.",
    ...fieldOptions("blockReads"),
  }),
  blockWrites: field.plain(z.boolean().optional(), {
    describe: "Whether all writes are blocked.",
    ...fieldOptions("blockWrites"),
  }),
  deleteProtection: field.plain(z.boolean().optional(), {
    describe: "Whether the platform refuses to delete the database.",
    ...fieldOptions("deleteProtection"),
  }),
  allowedIps: field.plain(z.array(z.string()).optional(), {
    describe: "IP addresses and CIDR blocks (IPv4 and IPv6) that may connect. `[]`: all may connect.",
    ...listFieldOptions("allowedIps", addressProblem, sameAddress),
  }),
  allowedAwsVpcIds: field.plain(z.array(z.string()).optional(), {
    describe: "AWS VPC endpoints (`vpce-…`) that may connect. `[]`: all may connect.",
    ...listFieldOptions("allowedAwsVpcIds", vpcEndpointProblem),
  }),
} satisfies { [Name in keyof Settings]: Plain<Settings[Name] | undefined> };
