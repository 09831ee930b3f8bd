import type * as z from "zod";
import { type AnyResource, listInputsOf } from "../definition";
import { argumentShapeProblems, unknownArguments } from "../lifecycle/arguments";
import { eachUntilCallEnds } from "../lifecycle/call";
import type { Context } from "../lifecycle/context";
import { invalidListQuery, listCancelled, listTitle, listUnavailable } from "../lifecycle/messages";
import type { Properties } from "../lifecycle/properties";
import { nounOf } from "../phrases";
import { Refusal } from "../refusal";
import type { Listed } from "../results";

export interface ListRequest {
  readonly query: Properties;
  /** The maximum number of objects to return; 0 returns all objects. */
  readonly limit: number;
}

export async function* list(
  resource: AnyResource,
  { query, limit }: ListRequest,
  { platform, ends }: Context,
): AsyncGenerator<Listed> {
  const inputs = listInputsOf(resource);
  const kind = nounOf(resource);
  if (!resource.list || !inputs) throw new Refusal("invalid", { answer: listUnavailable({ kind }) });
  const problems = [
    ...unknownArguments(listTitle({ kind }), inputs, query),
    ...Object.entries<z.ZodType>(inputs.shape).flatMap(([name, schema]) =>
      argumentShapeProblems(name, schema, query[name]),
    ),
  ];
  if (problems.length > 0) throw new Refusal("invalid", invalidListQuery({ kind, problems }));
  const pages = resource.list({ ...platform, deleted: query.deleted === true });
  let given = 0;
  for await (const listed of eachUntilCallEnds(pages, ends, listCancelled({ kind }))) {
    yield listed;
    if (++given === limit) return;
  }
}
