import * as z from "zod";
import { renaming } from "../../../kit/resource/renaming";
import * as contract from "../../../platform/contract/configuration";

/** All configuration fields of the platform's API, under the provider's names. */
export const settings = {
  sizeLimit: z
    .string()
    .optional()
    .describe('Largest size of the database: whole bytes, or a number with a unit ("256mb", "1gb"). Empty: no limit.'),
  allowAttach: z.boolean().optional().describe("Whether other databases may be attached to this one."),
  blockReads: z.boolean().optional().describe("Whether all reads are blocked."),
  blockWrites: z.boolean().optional().describe("Whether all writes are blocked."),
  deleteProtection: z.boolean().optional().describe("Whether the platform refuses to delete the database."),
  allowedIps: z
    .array(z.string())
    .optional()
    .describe("IP addresses and CIDR blocks (IPv4 and IPv6) that may connect. `[]`: all may connect."),
  allowedAwsVpcIds: z
    .array(z.string())
    .optional()
    .describe("AWS VPC endpoints (`vpce-…`) that may connect. `[]`: all may connect."),
} satisfies {
  [Name in contract.ConfigurationField as OwnName<Name>]: z.ZodOptional<z.ZodType<contract.Configuration[Name]>>;
};

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
