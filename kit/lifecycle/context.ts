import type { ResourceContext } from "../context";
import type { Home } from "../provider";
import type { Run } from "../run";
import type { Ends } from "./call";

/**
 * Returns the context in which an author creates an object: it also has the object that the new one replaces. With
 * `--replace`, the engine compares nothing.
 */
export function creationContext({ platform, run }: Pick<Context, "platform" | "run">) {
  const { compared, objects } = run.resource(platform.urn);
  return { ...platform, replaced: compared ?? [...objects.values()].find((held) => held !== undefined) };
}

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
  readonly platformTime: () => Promise<number>;
}
