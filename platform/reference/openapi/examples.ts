import * as z from "zod";
import { api, type Operation } from "../../contract/api";
import type { Endpoint } from "../../contract/endpoint";
import type { Form } from "../requests/body";
import { perform } from "../requests/perform";
import { type ExampleWorld, exampleWorld, UUIDS } from "./example-world";

export interface Example {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly answer: unknown;
}

export type Examples = { readonly [Name in Operation]?: Example };

type Values = Readonly<Record<string, readonly string[]>>;

/**
 * Values for parameters and required fields, by name. Each operation is tried with combinations of these values until
 * it succeeds.
 */
const VALUES: Values = {
  organizationSlug: ["acme", "acme-labs"],
  organizationId: [UUIDS.organization],
  groupName: ["default"],
  groupId: [UUIDS.group, UUIDS.deletedGroup],
  databaseName: ["orders"],
  databaseId: [UUIDS.database, UUIDS.deletedDatabase],
  group_id: [UUIDS.group],
  tokenName: ["ci", "laptop"],
  username: ["max", "zoe"],
  location: ["aws-eu-west-1", "aws-us-west-2"],
  instanceName: ["aws-eu-west-1"],
  email: ["lea@acme.example"],
  name: ["invoices"],
  organization: ["acme-labs"],
  org: ["acme-archive"],
  role: ["viewer"],
  plan: ["developer"],
  file: ["create table orders (id integer primary key, total integer);"],
  deleted: ["true"],
};

/**
 * Returns a real request and response for each operation in the contract. Tries the combinations of `VALUES`, and omits
 * an operation if none of them succeeds. All requests run on the same small platform.
 */
export async function examples(): Promise<Examples> {
  const world = await exampleWorld();
  const found: Record<string, Example> = {};
  for (const [name, endpoint] of Object.entries(api) as [Operation, Endpoint][]) {
    const example = await exampleOf(name, endpoint, world);
    if (example) found[name] = example;
  }
  await world.close();
  return found;
}

async function exampleOf(operation: Operation, endpoint: Endpoint, world: ExampleWorld): Promise<Example | undefined> {
  const values = { ...VALUES, tokenId: [world.tokenId] };
  const params = combinations(endpoint.params.shape, values);
  const query = combinations(endpoint.query.shape, values)[0] ?? {};
  const isForm = endpoint.consumes === "multipart";
  for (const sent of params)
    for (const body of exampleBodies(endpoint, values)) {
      const { status, body: answer } = await perform(
        operation,
        {
          address: "https://api.dbplatform.example",
          authorization: `Bearer ${world.credential}`,
          params: sent as Record<string, string>,
          query: query as Record<string, string>,
          text: body === undefined || isForm ? "" : JSON.stringify(body),
          ...(isForm && { form: filesIn(body) }),
        },
        world,
      );
      if (status === 200) return { params: sent, ...(body !== undefined && { body }), answer };
    }
  return undefined;
}

/** Turns each field of a multipart body into a file with the field's text as its content. */
const filesIn = (body: unknown): Form =>
  Object.fromEntries(Object.entries(body as object).map(([name, text]) => [name, new File([text], "orders.sql")]));

type Shape = Readonly<Record<string, z.ZodType>>;

function exampleBodies({ body }: Endpoint, values: Values): readonly unknown[] {
  const whole = body instanceof z.ZodOptional ? body.unwrap() : body;
  if (!(whole instanceof z.ZodObject)) return [undefined];
  const empty = body === whole ? {} : undefined;
  return combinations(whole.shape, values).map((made) => (Object.keys(made).length === 0 ? empty : made));
}

/**
 * Returns every combination of field values. A field takes the examples in its schema. A required field without
 * examples takes the values in `known`.
 */
function combinations(shape: Shape, known: Values): Record<string, unknown>[] {
  return Object.entries(shape).reduce<Record<string, unknown>[]>(
    (all, [name, part]) => {
      const own = part.meta()?.examples as readonly unknown[] | undefined;
      const values = own ?? (part.safeParse(undefined).success ? [] : (known[name] ?? []));
      return values.length === 0 ? all : all.flatMap((made) => values.map((value) => ({ ...made, [name]: value })));
    },
    [{}],
  );
}
