import * as z from "zod";
import { addressProblem, vpcEndpointProblem } from "../values/address";
import { sizeProblem } from "../values/size";
import { databasePath, oneDatabase } from "./database";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPaths } from "./organization";
import { checkedText } from "./schemas";

const size = checkedText(sizeProblem);

const address = checkedText(addressProblem);

const vpcEndpoint = checkedText(vpcEndpointProblem);

const flagField = <Answer extends z.ZodType>(answer: Answer, description: string) => ({
  unset: false as boolean,
  answer,
  request: z.boolean().nullish().meta({ description }),
});

/** A field that is missing from a response means `false`. */
const offByDefault = z.boolean().default(false);

/**
 * The fields of a database's configuration (§2.2, §4.3), each with its default value and its schemas in responses and
 * requests. When a field is added here, the compiler reports any code in the server, the store or the provider that
 * does not handle the field.
 */
const FIELDS = {
  size_limit: {
    unset: "" as string,
    answer: z.string().default("").meta({ description: "Bytes, or a number with a unit (`256mb`). Empty: no limit." }),
    request: size.nullish().meta({
      description: "Maximum size of the database: bytes, or a number with a unit (`256mb`, `1gb`). Empty: no limit.",
      examples: ["256mb"],
    }),
  },
  allow_attach: flagField(offByDefault, "Whether other databases may be attached to this one."),
  // `block_reads` and `block_writes` are required, so that an unrelated response is not parsed as a configuration.
  block_reads: flagField(z.boolean(), "Whether all reads are blocked."),
  block_writes: flagField(z.boolean(), "Whether all writes are blocked."),
  delete_protection: flagField(offByDefault, "Whether the database is protected from deletion."),
  allowed_ips: {
    unset: [] as string[],
    answer: z.array(z.string()).nullish(),
    request: z
      .array(address)
      .nullish()
      .meta({
        description: "IP addresses and CIDR blocks that may connect. Empty: no restriction.",
        examples: [["10.0.0.0/8"]],
      }),
  },
  allowed_aws_vpc_ids: {
    unset: [] as string[],
    answer: z.array(z.string()).nullish(),
    request: z
      .array(vpcEndpoint)
      .nullish()
      .meta({ description: "AWS VPC endpoints (`vpce-…`) that may connect. Empty: no restriction." }),
  },
};

type Fields = typeof FIELDS;

export type ConfigurationField = keyof Fields;

/** A configuration with a value for every field. */
export type Configuration = { [Name in ConfigurationField]: Fields[Name]["unset"] };

/** Returns one property of each field's definition, such as `unset`, by field name. */
const eachField = <Part extends keyof Fields[ConfigurationField]>(part: Part) =>
  Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, field[part]])) as {
    [Name in ConfigurationField]: Fields[Name][Part];
  };

/** The configuration that every new database starts with. */
export const UNCONFIGURED: Readonly<Configuration> = eachField("unset");

export const CONFIGURATION_FIELDS = Object.keys(FIELDS) as ConfigurationField[];

const DatabaseConfiguration = lazy(() => z.object(eachField("answer")).meta({ id: "DatabaseConfiguration" }));

/** Settings that databases on AWS reject, as users report. Nobody has measured it. */
export const REJECTABLE_ON_AWS = ["size_limit", "allow_attach"] as const satisfies readonly ConfigurationField[];

/** The fields of a request that changes a configuration, all of them optional. */
export const ConfigurationChanges = lazy(() => z.object(eachField("request")));

const paths = organizationPaths(`${oneDatabase}/configuration`);

export const configurations = {
  retrieveDatabaseConfiguration: endpoint({
    summary: "Retrieve the configuration of a database.",
    method: "GET",
    paths,
    params: databasePath,
    result: DatabaseConfiguration,
    access: { level: "group", scope: "read" },
  }),

  /**
   * Changes a configuration (§4.3). An absent field stays unchanged. `null` clears a field that holds a list, and leaves
   * any other field unchanged (wire-facts 13.9).
   */
  updateDatabaseConfiguration: endpoint({
    summary: "Change the configuration of a database.",
    description: "Omitted fields stay unchanged. `null` clears the two lists and leaves other fields unchanged.",
    method: "PATCH",
    paths,
    params: databasePath,
    body: ConfigurationChanges,
    result: DatabaseConfiguration,
    changes: ["databases"],
    access: { level: "group", scope: "db:configure", role: "member" },
  }),
};
