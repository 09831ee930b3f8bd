import type { FindAuthor } from "../../kit/resource";
import type { AuditSubject } from "../client/audit-log/acts";
import { deleterOf, type SettingChecks, setterOf } from "../client/audit-log/authors";
import { authorName } from "../client/messages";
import type { PlatformContext } from "../platform";

/** Describes how the audit log records changes to objects of one type. */
interface Audited<State> {
  /** Returns the object by which the audit log identifies changes, or `undefined` if that object no longer exists. */
  subject(id: string, observed: State, context: PlatformContext): Promise<AuditSubject | undefined>;
  /**
   * Returns the name that the audit-log entries use for a property. For a property that consists of several settings,
   * returns the settings that changed, each with a predicate that recognizes its current value. Returns `undefined` if
   * no entry shows the property.
   *
   * @param before The state that the last update recorded.
   */
  settings(property: string, observed: State, before: State): string | SettingChecks | undefined;
}

/** Finds the authors of changes in the audit log. */
export const auditedBy =
  <State>({ subject, settings }: Audited<State>) =>
  async (
    id: string,
    { before, observed }: { readonly before: State; readonly observed: State },
    context: PlatformContext,
  ): Promise<FindAuthor | undefined> => {
    const changed = await subject(id, observed, context);
    if (changed === undefined) return undefined;
    return async (property, isNow) => {
      const names = settings(property, observed, before) ?? {};
      const deed = await context.platform.authorOf(
        setterOf(changed, typeof names === "string" ? { [names]: isNow } : names),
      );
      return deed && { author: authorName({ by: deed }), at: deed.at };
    };
  };

/** Returns who deleted an object, if the audit log proves it. */
export async function deletionAuthor(
  object: AuditSubject,
  deletedAt: string,
  { platform }: PlatformContext,
): Promise<string | undefined> {
  const deed = await platform.authorOf(deleterOf(object, deletedAt));
  return deed && authorName({ by: deed });
}
