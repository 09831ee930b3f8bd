import type { AnyResource } from "./definition";
import type { Properties, State } from "./lifecycle/properties";
import { titleOf } from "./phrases";

// A run remembers what has happened, in the order in which it happened. An event is a fact of one moment: the program
// declares a resource, the platform creates an object, Diff finds that a replacement is needed. The step in which it
// happens notes it (`Run.note`). Nothing that was noted is changed or taken back: a later event may say something else.
//
// Everything else is a question about the events. `run.ts` answers those that several steps ask, and this file what one
// event says. No step leaves a flag for another, so who adds a question need not find out which steps have to prepare
// its answer.
//
// The moment counts. A request counts before it is answered where steps in parallel must know of it: an update keeps its
// object while it waits for the platform, and an object is in the stack even if it cannot be read. Such a request and its
// answer are two events. An event is noted after the checks that may still refuse it, and before the next `await`.
//
// A run of 10,000 resources has some 100,000 events, so an event holds an object's title and container instead of its
// state, unless a step needs the state itself.

/** What an event is about. */
interface About {
  readonly resource: AnyResource;
  /** The URN of the resource in the call of the engine. */
  readonly urn: string;
  readonly id: string;
}

/** An object as the step saw it. */
interface Seen extends About {
  readonly title: string;
  /** The container to which the object belongs. */
  readonly container: Container | undefined;
}

interface Container {
  readonly type: string;
  readonly id: string;
}

export type RunEvent =
  /** Check: the program declares the resource. */
  | {
      readonly step: "check";
      readonly urn: string;
      readonly inputs: Properties;
      /** Whether the engine proposed a name, by autonaming settings that may give no random part. */
      readonly isNameProposed?: boolean;
      /** Whether the program leaves the name out, so that it is generated or stays. */
      readonly isNameOmitted?: boolean;
    }
  /** Create: the platform has created the object. */
  | ({ readonly step: "create" } & Seen)
  /** Create: the resource manages an old object again, instead of a new one. */
  | ({ readonly step: "managed again" } & About)
  /** Delete: the platform has deleted the object. */
  | ({ readonly step: "deleted" } & About);

/** An event of one step. */
export type Happened<S extends RunEvent["step"]> = Extract<RunEvent, { readonly step: S }>;

/** Returns the last event of a step. */
export const lastOf = <S extends RunEvent["step"]>(events: readonly RunEvent[], step: S): Happened<S> | undefined =>
  events.findLast((event): event is Happened<S> => event.step === step);

/** Returns what an event says of an object that the step saw in this state. */
export const seen = (
  { resource, id, state }: { readonly resource: AnyResource; readonly id: string; readonly state: State },
  urn: string,
): Seen => ({ resource, urn, id, title: titleOf(resource, state), container: containerOf(resource, state) });

/** Returns the container to which an object belongs. */
export function containerOf({ inside }: AnyResource, state: Properties): Container | undefined {
  const id = inside && state[inside.by];
  if (!inside || typeof id !== "string") return undefined;
  return { type: inside.type, id: inside.canonicalId?.(id) ?? id };
}
