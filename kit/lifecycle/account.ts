import { isRefusal, Refusal } from "../refusal";
import type { Context } from "./context";
import type { Properties } from "./properties";

/**
 * Throws an error unless the configured account owns the object. Without this check, an object of another account would
 * appear to have been deleted.
 */
export async function assertSameAccount(state: Properties, context: Context): Promise<void> {
  const { home, run } = context;
  if (home === undefined || state[home.output] === undefined) return;
  const configured = await home.id();
  const owner = String(state[home.output]);
  if (configured === owner) return;
  const lost = await run.once(`lost ${owner}`, () => home.lost(owner));
  throw new Refusal("conflict", lost ?? home.other(owner, configured));
}

/**
 * Calls `assertSameAccount` before any other request is sent. The configured account is looked up only once per update.
 * Most lookup failures are ignored here, because the next request that needs the account reports them.
 */
export async function assertSameAccountIfVisible(state: Properties, context: Context): Promise<void> {
  const { home, run } = context;
  if (home === undefined || state[home.output] === undefined) return;
  const failure = await run.once("account visible", () =>
    home.id().then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );
  if (failure === undefined) return assertSameAccount(state, context);
  if (!isRefusal(failure) || isRefusal(failure, "conflict", "unseen")) throw failure;
}
