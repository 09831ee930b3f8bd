import { nameLengthLimit } from "../../../platform/values/name";
import type { PlatformContext } from "../../platform";
import { type LiveDatabaseRecord, retrieveLiveDatabaseNamed } from "./live-databases";

/**
 * The parts of a name before and after the last characters of the original's DbId, which are random. The last letter
 * distinguishes the names if a long name of the organization leaves room for the end only.
 */
const NAMES = { keepData: ["copy-of-", ""], migrations: ["rehearsal-of-", "-m"] } as const;

/** The work for which a database is copied, and after which the copy is deleted. */
type Purpose = keyof typeof NAMES;

export function temporaryCopyName(
  purpose: Purpose,
  id: string,
  { platform: { organization } }: Pick<PlatformContext, "platform">,
): string {
  const [before, after] = NAMES[purpose];
  return `${before}${id.slice(-12)}${after}`.slice(-nameLengthLimit(organization.slug)).replace(/^-/, "");
}

/** Returns whether a database is a temporary copy. Only its name and its parent say so. */
export const isTemporaryCopy = (
  purpose: Purpose,
  { Name, parent }: Pick<LiveDatabaseRecord, "Name" | "parent">,
  context: Pick<PlatformContext, "platform">,
): boolean => parent !== undefined && parent !== null && Name === temporaryCopyName(purpose, parent.id, context);

/** Finds the temporary copy of a database, in any group. */
export async function findTemporaryCopy(
  purpose: Purpose,
  id: string,
  context: PlatformContext,
  maxAge?: "seconds",
): Promise<LiveDatabaseRecord | undefined> {
  const found = await retrieveLiveDatabaseNamed(temporaryCopyName(purpose, id, context), context, maxAge);
  return found?.parent?.id === id ? found : undefined;
}
