import type { ResourceContext } from "../context";
import type { Home } from "../provider";
import { isRefusal, Refusal } from "../refusal";
import type { Run } from "../run";
import type { Ends } from "./call";
import type { Properties } from "./properties";

/** @typeParam P What the provider offers its resources. */
export interface Context<P = unknown> {
  readonly platform: ResourceContext<P>;
  readonly run: Run;
  /** Name of the configured account. */
  readonly account: string;
  readonly home: Home | undefined;
  readonly provider: {
    /** Whether some of the settings may be those of the last update. */
    readonly isRecorded: boolean;
    /** Says which settings are never recorded. */
    readonly unrecorded: string | undefined;
  };
  /** Aborted when the call is cancelled or its time limit has passed. */
  readonly ends: Ends;
  /** Returns the platform's time in milliseconds since 1970. */
  readonly now: () => Promise<number>;
}

/** Returns whether an update recorded the state. A program can also pass a state of its own, to look up an object. */
export const isRecorded = (state: Properties, { home }: Pick<Context, "home">): boolean =>
  home === undefined || state[home.output] !== undefined;

/**
 * Throws an error unless the configured account owns the object. Without this check, an object of another account would
 * appear to have been deleted.
 */
export async function assertSameAccount(state: Properties, { home, run }: Context): Promise<void> {
  if (home === undefined || state[home.output] === undefined) return;
  const configured = await home.id();
  const owner = String(state[home.output]);
  if (configured === owner) return;
  let isFirst = false;
  const lost = await run.once(`lost ${owner}`, () => {
    isFirst = true;
    return home.lost(owner);
  });
  if (!lost) throw new Refusal("conflict", home.other(owner, configured));
  throw new Refusal("conflict", { answer: isFirst ? lost.explanation : lost.reference });
}

/**
 * Calls `assertSameAccount` before any other request is sent. The configured account is looked up only once per update.
 * Most lookup failures are ignored here, because the next request that needs the account reports them.
 */
export async function assertNotOtherAccount(state: Properties, context: Context): Promise<void> {
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
