import { unlessRefused } from "../../../kit/refusal";
import type { PropertyTraits, Replaced } from "../../../kit/resource/traits";
import type { Platform } from "../../platform";
import { restorableUntil } from "../deletion";
import { recoveryUnavailable } from "../restoration";
import { type Encryption, encryptionTraits } from "./encryption";
import { dataLeftBehind, dataPossiblyLeftBehind } from "./messages";
import type { DatabaseState } from "./state";

type Warning = NonNullable<PropertyTraits<string, DatabaseState, Platform>["replacementWarning"]>;

/** Returns a function that warns that a changed property replaces a database without its data. */
export const warnOfDataLeft =
  (property: "name" | "group"): Warning =>
  async (title, state, wanted, { id, news, isDeletedFirst, context }) => {
    if (isCopied(id, state, news) || isEncryptedAnew(state, { news, context })) return undefined;
    if (wanted === undefined) return dataPossiblyLeftBehind(title, property);
    const isUnavailable = (await recoveryUnavailable(context).catch(unlessRefused)) !== undefined;
    const until = isUnavailable ? undefined : restorableUntil(new Date(context.platform.clock.now()).toISOString());
    return dataLeftBehind(title, id, until, isDeletedFirst);
  };

/** Returns whether the new database is a copy of the old one. */
function isCopied(id: string, { name }: DatabaseState, { seed }: Replaced["news"]): boolean {
  const source = (seed as { readonly database?: unknown } | undefined)?.database;
  return source === id || source === name;
}

/** Returns whether the replacement also changes the encryption, which has a warning of its own. */
function isEncryptedAnew(state: DatabaseState, { news, context }: Pick<Replaced, "news" | "context">): boolean {
  const { encryption } = news;
  if (typeof encryption !== "object" || encryption === null) return typeof encryption === "symbol";
  const wanted = encryption as Encryption;
  return !encryptionTraits.semantics?.semanticallyEqual?.(wanted, state.encryption, state, context.run.names);
}
