import { onTestFinished, type TestContext } from "vitest";
import { findSqld, Sqld } from "../../../tools/lab/sqld";
import { type Place, sqlWorld } from "./sql";

/** Returns a database of this server, and one of libSQL's own server. Skips the test if that server is missing. */
export async function placesBesideSqld(
  context: TestContext,
): Promise<{ readonly ours: Place; readonly theirs: Place }> {
  const found = await findSqld();
  if ("missing" in found) return context.skip(found.missing);
  const sqld = await Sqld.start(found.program);
  onTestFinished(() => sqld.end());
  const { database } = await sqlWorld();
  return { ours: await database("orders"), theirs: { url: `${sqld.url}/`, token: "" } };
}
