import type * as z from "zod";
import { Refusal } from "../../platform/client/refusal";
import type { AnyResource } from "../resource/definition";
import { listInputsOf } from "../resource/listing";
import type { Listed } from "../resource/results";
import { shapeProblems, unknownArguments } from "./arguments";
import type { Context } from "./context";
import { nounOf, type Properties } from "./properties";

export interface ListRequest {
  readonly query: Properties;
  /** Maximum number of objects to return; 0 returns all. */
  readonly limit: number;
}

/** Lists the objects of one type and requests further pages only as the caller consumes them. */
export async function* list(
  resource: AnyResource,
  { query, limit }: ListRequest,
  { platform }: Context,
): AsyncGenerator<Listed> {
  const inputs = listInputsOf(resource);
  if (!resource.list || !inputs)
    throw new Refusal("invalid", { answer: `the platform keeps no list of each ${nounOf(resource)}` });
  const problems = [
    ...unknownArguments(`a list of each ${nounOf(resource)}`, inputs, query),
    ...Object.entries<z.ZodType>(inputs.shape).flatMap(([name, schema]) => shapeProblems(name, schema, query[name])),
  ];
  if (problems.length > 0)
    throw new Refusal("invalid", {
      tried: "cannot list by that",
      answer: problems.map(({ property, reason }) => `${property}: ${reason}`).join("; "),
    });
  let given = 0;
  for await (const listed of resource.list({ deleted: query.deleted === true }, platform)) {
    yield listed;
    if (++given === limit) return;
  }
}
