import * as z from "zod";
import { isRefusal, Refusal, unlessAbsent } from "../../kit/refusal";
import type { Database } from "../../platform/contract/database";
import { canonicalUuid } from "../../platform/values/uuid";
import type { PlatformContext } from "../platform";
import { adviceForThisRun } from "../resources/identify";
import { exactlyOne, uuid } from "./arguments";
import { databaseNotFound } from "./messages";

export const oneDatabase = z.object({
  name: z.string().optional().describe("Name of the database. Give either this or `dbId`."),
  dbId: uuid.optional().describe("DbId of the database. Give either this or `name`."),
});

export const whichDatabase = exactlyOne<z.output<typeof oneDatabase>>("name", "dbId");

export async function findDatabase(
  wanted: z.output<typeof oneDatabase>,
  context: PlatformContext,
): Promise<z.output<ReturnType<typeof Database>>> {
  const { organization } = context.platform;
  const found = await retrieve(wanted, context);
  if (found) return found;
  // Looks up the organization first, so that a missing organization is not reported as a missing database. A 403 is
  // ignored, because a group-scoped token cannot read the organization.
  await organization.id().catch((failure) => {
    if (!isRefusal(failure, "forbidden")) throw failure;
  });
  const { name, dbId = "" } = wanted;
  const advice = adviceForThisRun("Database", name ?? canonicalUuid(dbId) ?? dbId, context);
  throw new Refusal("absent", databaseNotFound({ name, id: dbId, organization: organization.slug, advice }));
}

async function retrieve({ name, dbId = "" }: z.output<typeof oneDatabase>, { platform: { api } }: PlatformContext) {
  const answer =
    name === undefined
      ? api.retrieveDatabaseById({
          databaseId: canonicalUuid(dbId) ?? dbId,
        })
      : api.retrieveDatabase({ databaseName: name });
  return (await answer.catch(unlessAbsent))?.database;
}
