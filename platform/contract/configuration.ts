import * as z from "zod";
import { addressProblem, vpcEndpointProblem } from "../values/address";
import { sizeProblem } from "../values/size";
import { checked } from "./checked";
import { endpoint } from "./endpoint";
import { inOrganization, organizationPath } from "./organization";

/** §2.2. Were none of its fields required, any object would be the configuration of a database without restrictions. */
const DatabaseConfiguration = z
  .object({
    size_limit: z
      .string()
      .default("")
      .meta({ description: "Bytes, or a number with a unit (`256mb`); empty when unlimited." }),
    allow_attach: z.boolean().default(false),
    block_reads: z.boolean(),
    block_writes: z.boolean(),
    delete_protection: z.boolean().default(false),
    allowed_ips: z.array(z.string()).nullish(),
    allowed_aws_vpc_ids: z.array(z.string()).nullish(),
  })
  .meta({ id: "DatabaseConfiguration" });

const size = checked(sizeProblem);
const address = checked(addressProblem);
const vpcEndpoint = checked(vpcEndpointProblem);

const paths = inOrganization("/databases/{databaseName}/configuration");
const params = organizationPath.extend({
  databaseName: z.string().min(1).meta({ description: "Name of the database." }),
});

export const retrieveDatabaseConfiguration = endpoint({
  summary: "Retrieve the configuration of a database.",
  method: "GET",
  paths,
  params,
  result: DatabaseConfiguration,
  access: { level: "group", scope: "read" },
});

/** §4.3. Absent: unchanged. `null`: unchanged for single values, cleared for the two lists (wire-facts 13.9). */
export const updateDatabaseConfiguration = endpoint({
  summary: "Change the configuration of a database.",
  description: "What is left out stays as it is. `null` leaves single values as they are and clears the two lists.",
  method: "PATCH",
  paths,
  params,
  body: z.object({
    size_limit: size.nullish().meta({
      description: "Largest size of the database: bytes, or a number with a unit (`256mb`, `1gb`). Empty: no limit.",
      examples: ["256mb"],
    }),
    allow_attach: z.boolean().nullish().meta({ description: "Whether other databases may be attached to this one." }),
    block_reads: z.boolean().nullish().meta({ description: "Whether every read is refused." }),
    block_writes: z.boolean().nullish().meta({ description: "Whether every write is refused." }),
    delete_protection: z.boolean().nullish().meta({ description: "Whether deleting the database is refused." }),
    allowed_ips: z
      .array(address)
      .nullish()
      .meta({
        description: "IP addresses and CIDR blocks that alone may connect. Empty: no restriction.",
        examples: [["10.0.0.0/8"]],
      }),
    allowed_aws_vpc_ids: z
      .array(vpcEndpoint)
      .nullish()
      .meta({ description: "AWS VPC endpoints (`vpce-…`) that alone may connect. Empty: no restriction." }),
  }),
  result: DatabaseConfiguration,
  changes: [],
  access: { level: "group", scope: "db:configure", role: "member" },
});
