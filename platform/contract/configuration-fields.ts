import * as z from "zod";
import { addressProblem, sameAddress, vpcEndpointProblem } from "../values/address";
import { sizeProblem } from "../values/size";
import { checkedText } from "./schemas";

/**
 * Where the platform shows a field: in every record of a database (wire-facts 3.1), in the allow rules of a record by
 * UUID (wire-facts 3.7), or only in the configuration.
 */
export type Place = "record" | "rules" | "configuration";

interface Row {
  /** The number of the migration that adds the column to the reference API's data. A new field takes the next one. */
  readonly since: string;
  /** Describes the field to users, in complete sentences. */
  readonly describe: string;
  readonly shownIn: Place;
  /** The label on the reference API's page for a value that is not the default. A size or the entry of a list follows it. */
  readonly chip: string;
}

interface FlagRow extends Row {
  /** Whether every configuration that the platform returns has the field. */
  readonly isRequired?: true;
  /** Set if the page's chip is a warning. */
  readonly warns?: true;
}

/** A switch, off in a new database. */
const flag = (row: FlagRow) => ({
  ...row,
  kind: "flag" as const,
  unset: false as boolean,
  answer: () => (row.isRequired ? z.boolean() : z.boolean().default(false)),
  shown: () => z.boolean().optional(),
  request: () => z.boolean().nullish(),
});

/** A size in bytes or with a unit. A new database has the empty size, which is no limit. */
const size = (row: Row & { readonly example: string }) => ({
  ...row,
  kind: "size" as const,
  unset: "" as string,
  answer: () => z.string().default(""),
  shown: () => z.string().optional(),
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
  shown: () => z.array(z.string()).nullish(),
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
    since: "0001",
    describe: 'Largest size of the database: whole bytes, or a number with a unit ("256mb", "1gb"). Empty: no limit.',
    shownIn: "configuration",
    chip: "at most",
    example: "256mb",
  }),
  allow_attach: flag({
    since: "0001",
    describe: "Whether other databases may be attached to this one.",
    shownIn: "record",
    chip: "attachable",
  }),
  // `block_reads` and `block_writes` are required, so that an unrelated response is not parsed as a configuration.
  block_reads: flag({
    since: "0001",
    describe: "Whether all reads are blocked.",
    shownIn: "record",
    chip: "reads blocked",
    warns: true,
    isRequired: true,
  }),
  block_writes: flag({
    since: "0001",
    describe: "Whether all writes are blocked.",
    shownIn: "record",
    chip: "writes blocked",
    warns: true,
    isRequired: true,
  }),
  delete_protection: flag({
    since: "0001",
    describe: "Whether the platform refuses to delete the database.",
    shownIn: "record",
    chip: "protected",
  }),
  allowed_ips: list({
    since: "0001",
    describe: "IP addresses and CIDR blocks (IPv4 and IPv6) that may connect. `[]`: all may connect.",
    shownIn: "rules",
    chip: "only",
    example: "10.0.0.0/8",
    problemOf: addressProblem,
    same: sameAddress,
  }),
  allowed_aws_vpc_ids: list({
    since: "0001",
    describe: "AWS VPC endpoints (`vpce-…`) that may connect. `[]`: all may connect.",
    shownIn: "rules",
    chip: "only",
    problemOf: vpcEndpointProblem,
  }),
};

type Fields = typeof CONFIGURATION;

export type ConfigurationField = keyof Fields;

/** A configuration with a value for every field. */
export type Configuration = { [Name in ConfigurationField]: Fields[Name]["unset"] };

export const CONFIGURATION_FIELDS = Object.keys(CONFIGURATION) as ConfigurationField[];

export const fieldsShownIn = (place: Place) =>
  CONFIGURATION_FIELDS.filter((name) => CONFIGURATION[name].shownIn === place);

/** The configuration that every new database starts with. */
export const UNCONFIGURED = Object.fromEntries(
  Object.entries(CONFIGURATION).map(([name, { unset }]) => [name, unset]),
) as Readonly<Configuration>;

/** Returns the schemas of fields in a configuration, in a record of a database or in a request, by field name. */
export const fieldSchemas = <Part extends "answer" | "shown" | "request">(part: Part, names = CONFIGURATION_FIELDS) =>
  Object.fromEntries(
    names.map((name) => {
      const field = CONFIGURATION[name];
      const schema: z.ZodType = field[part]();
      return [name, schema.meta({ description: field.describe })];
    }),
  ) as { [Name in ConfigurationField]: ReturnType<Fields[Name][Part]> };
