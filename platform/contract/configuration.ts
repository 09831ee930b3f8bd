import { z } from "zod";
import { addressProblem, vpcEndpointProblem } from "../values/address";
import { sizeProblem } from "../values/size";
import { checked } from "./checked";
import { endpoint } from "./endpoint";
import { inOrganization, organizationPath } from "./organization";

/** §2.2 */
const DatabaseConfiguration = z.object({
  /** Bytes, or a number with a unit; empty when unlimited. */
  size_limit: z.string().default(""),
  allow_attach: z.boolean().default(false),
  block_reads: z.boolean().default(false),
  block_writes: z.boolean().default(false),
  delete_protection: z.boolean().default(false),
  allowed_ips: z.array(z.string()).nullish(),
  allowed_aws_vpc_ids: z.array(z.string()).nullish(),
});

const size = checked(sizeProblem);
const address = checked(addressProblem);
const vpcEndpoint = checked(vpcEndpointProblem);

const paths = inOrganization("/databases/{databaseName}/configuration");
const params = organizationPath.extend({ databaseName: z.string().min(1) });

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
  method: "PATCH",
  paths,
  params,
  body: z.object({
    size_limit: size.nullish(),
    allow_attach: z.boolean().nullish(),
    block_reads: z.boolean().nullish(),
    block_writes: z.boolean().nullish(),
    delete_protection: z.boolean().nullish(),
    allowed_ips: z.array(address).nullish(),
    allowed_aws_vpc_ids: z.array(vpcEndpoint).nullish(),
  }),
  result: DatabaseConfiguration,
  access: { level: "group", scope: "db:configure", role: "member" },
});
