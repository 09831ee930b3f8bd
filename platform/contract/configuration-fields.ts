import * as z from "zod";
import { addressProblem, sameAddress, vpcEndpointProblem } from "../values/address";
import { sizeProblem } from "../values/size";
import { checkedText } from "./schemas";

interface Row {
  /** Describes the field to users, in complete sentences. */
  readonly describe: string;
}

/** A switch, off in a new database. */
const flag = (row: Row & { /** Whether every response has the field. */ readonly isRequired?: true }) => ({
  ...row,
  kind: "flag" as const,
  unset: false as boolean,
  answer: () => (row.isRequired ? z.boolean() : z.boolean().default(false)),
  request: () => z.boolean().nullish(),
});

/** A size in bytes or with a unit. A new database has the empty size, which is no limit. */
const size = (row: Row & { readonly example: string }) => ({
  ...row,
  kind: "size" as const,
  unset: "" as string,
  answer: () => z.string().default(""),
  request: () =>
    checkedText(sizeProblem)
      .nullish()
      .meta({ examples: [row.example] }),
});

interface ListRow extends Row {
  readonly example?: string;
  /** Returns what is wrong with an entry, or `undefined`. */
  problemOf(entry: string): string | undefined;
  /** Returns whether two entries mean the same. Without it, only identical entries do. */
  same?(one: string, other: string): boolean;
}

/** A list of texts in any order, empty in a new database. */
const list = (row: ListRow) => ({
  ...row,
  kind: "list" as const,
  unset: [] as string[],
  answer: () => z.array(z.string()).nullish(),
  request: () =>
    z
      .array(checkedText(row.problemOf))
      .nullish()
      .meta(row.example === undefined ? {} : { examples: [[row.example]] }),
});

/**
 * The fields of a database's configuration (§2.2, §4.3), by their names in the platform's API. Everything about a field
 * follows from its row, except what it forbids.
 */
export const CONFIGURATION = {
  size_limit: size({
    describe: 'Largest size of the database: whole bytes, or a number with a unit ("256mb", "1gb"). Empty: no limit.',
    example: "256mb",
  }),
  allow_attach: flag({ describe: "Whether other databases may be attached to this one." }),
  // `block_reads` and `block_writes` are required, so that an unrelated response is not parsed as a configuration.
  block_reads: flag({ describe: "Whether all reads are blocked.", isRequired: true }),
  block_writes: flag({ describe: "Whether all writes are blocked.", isRequired: true }),
  delete_protection: flag({ describe: "Whether the platform refuses to delete the database." }),
  allowed_ips: list({
    describe: "IP addresses and CIDR blocks (IPv4 and IPv6) that may connect. `[]`: all may connect.",
    example: "10.0.0.0/8",
    problemOf: addressProblem,
    same: sameAddress,
  }),
  allowed_aws_vpc_ids: list({
    describe: "AWS VPC endpoints (`vpce-…`) that may connect. `[]`: all may connect.",
    problemOf: vpcEndpointProblem,
  }),
};

type Fields = typeof CONFIGURATION;

export type ConfigurationField = keyof Fields;

/** A configuration with a value for every field. */
export type Configuration = { [Name in ConfigurationField]: Fields[Name]["unset"] };

export const CONFIGURATION_FIELDS = Object.keys(CONFIGURATION) as ConfigurationField[];

/** The configuration that every new database starts with. */
export const UNCONFIGURED = Object.fromEntries(
  Object.entries(CONFIGURATION).map(([name, { unset }]) => [name, unset]),
) as Readonly<Configuration>;

/** Returns the schemas of the fields in responses or requests, by field name. */
export const configurationSchemas = <Part extends "answer" | "request">(part: Part) =>
  Object.fromEntries(
    Object.entries(CONFIGURATION).map(([name, field]) => {
      const schema: z.ZodType = field[part]();
      return [name, schema.meta({ description: field.describe })];
    }),
  ) as { [Name in ConfigurationField]: ReturnType<Fields[Name][Part]> };
