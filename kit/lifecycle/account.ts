import { isRefusal, Refusal } from "../refusal";
import type { Run } from "../run";
import type { Context } from "./context";
import type { Properties } from "./properties";

/**
 * Returns the error itself if it is the first one of this run with its message; otherwise, an error that only refers to
 * the first one, because the same cause makes every resource fail.
 */
function explainOnce(failure: unknown, run: Run): unknown {
  if (!isRefusal(failure) || failure.reference === undefined || run.isFirst(failure.message)) return failure;
  return new Refusal(failure.kind, { answer: failure.reference });
}

/** Looks up the configured account, which is requested only once. Throws an error if the settings are wrong. */
export async function configuredAccount({ home, run }: Context): Promise<string | undefined> {
  try {
    return await home?.id();
  } catch (failure) {
    throw explainOnce(failure, run);
  }
}

/**
 * Throws an error unless the configured account owns the object. Without this check, an object of another account would
 * appear to have been deleted.
 */
export async function assertSameAccount(state: Properties, context: Context): Promise<void> {
  const { home, run } = context;
  if (home === undefined || state[home.output] === undefined) return;
  const configured = String(await configuredAccount(context));
  const owner = String(state[home.output]);
  if (configured === owner) return;
  const lost = await run.once(`lost ${owner}`, () => home.lost(owner));
  throw explainOnce(new Refusal("conflict", lost ?? home.other(owner, configured)), run);
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
  if (!isRefusal(failure) || isRefusal(failure, "conflict", "unseen")) throw explainOnce(failure, run);
}
