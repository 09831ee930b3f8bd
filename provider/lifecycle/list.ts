import * as z from "zod";
import { Refusal } from "../../platform/client/refusal";
import { listInputsOf } from "../resources/listing";
import type { AnyResource, Listed } from "../resources/resource";
import type { Context } from "./context";
import { nounOf, type Properties } from "./properties";

export interface ListRequest {
  readonly query: Properties;
  /** How many at the most; 0: all. */
  readonly limit: number;
}

/** What there is of one kind, asked for no faster than it is taken. */
export async function* list(
  resource: AnyResource,
  { query, limit }: ListRequest,
  { platform }: Context,
): AsyncGenerator<Listed> {
  const inputs = listInputsOf(resource);
  if (!resource.list || !inputs)
    throw new Refusal("invalid", { answer: `the platform keeps no list of each ${nounOf(resource)}` });
  const parsed = inputs.safeParse(query);
  if (!parsed.success)
    throw new Refusal("invalid", { tried: "cannot list by that", answer: z.prettifyError(parsed.error) });
  let given = 0;
  for await (const listed of resource.list({ deleted: parsed.data.deleted === true }, platform)) {
    yield listed;
    if (++given === limit) return;
  }
}
