import type { AnyResource } from "./definition";
import type { Comparison } from "./lifecycle/comparison";
import { IMPORTED, type Properties, type State } from "./lifecycle/properties";
import { titleOf } from "./phrases";
import type { DeletionTimes } from "./resource";

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
// answer are two events, "update" and "updated". An event is noted after the checks that may still refuse it, and before
// the next `await`.
//
// A run of 10,000 resources has some 80,000 events, so an event holds an object's title and container instead of its
// state, unless a step needs the state itself. Equal states are held once (`Run.sharing`).

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

/** The name that the event gives to its object. `undefined` if it gives none. */
interface Naming {
  readonly name: string | undefined;
}

/** An object in the stack's state, with the inputs that the last update of it recorded. */
export interface StackObject {
  readonly id: string;
  readonly inputs: Properties;
  readonly state: State;
}

/** The properties of an object that differ from the program because somebody changed them on the platform. */
export interface Drift {
  readonly properties: readonly string[];
  /** The object's state as recorded by the last update. */
  readonly before: State;
  readonly observed: State;
}

/** What can happen in a run, in the order of the steps. */
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
  /** Read, before its request: the stack's state contains the object, live or deleted. */
  | ({ readonly step: "read" } & About & StackObject)
  /** Read: the object is live. */
  | ({
      readonly step: "found";
      /** The deleted container to which the object belongs. */
      readonly deletedOwner: (Container & { readonly message: string }) | undefined;
      readonly drift: Drift | undefined;
    } & About &
      StackObject)
  /** Read: the object is deleted. */
  | ({ readonly step: "found deleted" } & About & StackObject)
  /** Read: the object no longer exists. */
  | ({ readonly step: "found absent" } & About)
  /** Read, before its request: the program imports the object. */
  | ({ readonly step: "import" } & About)
  /** Read: the imported object exists, live or deleted. */
  | ({ readonly step: "imported"; readonly importedName: string | undefined } & About)
  /** Diff: the step has read the object itself, because the engine does not. */
  | ({ readonly step: "observed"; readonly state: State } & About)
  /**
   * Diff: the engine compares the object with the program. It also does so before it runs the program, when nobody knows
   * whether the program declares the resource.
   */
  | ({ readonly step: "diff"; readonly isDeclared: boolean } & About & StackObject)
  /** Diff: it is known whether the program replaces the object, and how. */
  | ({
      readonly step: "decided";
      readonly comparison: Comparison;
      readonly isDeclared: boolean;
      readonly replaces: boolean;
      readonly deleteBeforeReplace: boolean;
      /** Whether the replacement would fail, so that Diff does. */
      readonly isRefused: boolean;
      /** The reason why this credential cannot replace the object. */
      readonly lack: string | undefined;
      /** The old object, if the program takes a replacement back that could not delete it. */
      readonly takenBack: Comparison | undefined;
    } & About)
  /**
   * Diff, Create: it is known which object the resource manages after this update. Noted only of objects that keep their
   * settings when a resource leaves them (`lasting-settings.ts`).
   */
  | ({
      readonly step: "next";
      /** The settings that the program names. */
      readonly names: readonly string[];
      /** Whether this update creates or replaces the resource. */
      readonly isNew: boolean;
    } & Omit<About, "id"> & {
        /** `undefined` if the object is not known yet. */
        readonly id: string | undefined;
      })
  /** Diff, Read, Create: the object is live and as the program wants it, or imported. */
  | ({ readonly step: "kept" } & Seen)
  /** Create in a preview: the object will exist. It has no id yet, so the URN of its resource stands for it. */
  | ({
      readonly step: "plan create";
      /** The resource that will create the object, as messages name it. `undefined` if it may be imported instead. */
      readonly as: string | undefined;
    } & Naming &
      About)
  /** Update in a preview. */
  | ({ readonly step: "plan update" } & Naming & About)
  /** Update in a preview: `pulumi up` restores the object. */
  | ({ readonly step: "plan restore" } & DeletionTimes & About)
  /** Update in a preview: the object, a container, comes back together with what `pulumi up` restores. */
  | ({ readonly step: "plan return"; readonly urn: string } & Naming & Container)
  /** Update, before its requests. */
  | ({ readonly step: "update" } & Naming & Seen)
  /** Update, before its request: the platform restores the object, even if its response is lost. */
  | ({ readonly step: "restore" } & DeletionTimes & About)
  /** Update: the platform has refused to restore the object, which stays deleted and keeps its name. */
  | ({ readonly step: "restore refused" } & About)
  /** Update: the platform has restored the object, or changed a restored one. */
  | ({ readonly step: "updated" } & Naming & About)
  /** Create: the platform has created the object. */
  | ({ readonly step: "created" } & Naming & Seen)
  /**
   * Create, before its requests: the resource takes the old object of a failed replacement over instead of creating
   * another. Delete keeps that object, and refuses if the creation fails.
   */
  | ({ readonly step: "take over" } & About)
  /** Create: the resource manages that object, perhaps incompletely. */
  | ({
      readonly step: "taken over";
      /** Whether the program has taken back a replacement that had created a new object. */
      readonly isTakenBack: boolean;
    } & About)
  /** Create of a dynamic provider, before its requests: the program imports a deleted object, which the update restores. */
  | ({ readonly step: "import deleted" } & About)
  /** Create of a dynamic provider: the import has failed, so the object stays with the resource that has it. */
  | ({ readonly step: "import failed" } & About)
  /** Delete, unless this update keeps the object. */
  | ({
      readonly step: "delete";
      /** Whether the resource manages the object, and an earlier update imported it. */
      readonly isImported: boolean;
    } & About)
  /** Delete: the engine deletes the resource, and another one manages the object, whose settings may stay in force. */
  | ({ readonly step: "leave" } & About & StackObject)
  /** Delete: the platform has deleted the object. */
  | ({ readonly step: "deleted" } & About);

/** An event of one step. */
export type Happened<S extends RunEvent["step"]> = Extract<RunEvent, { readonly step: S }>;

/** Returns the last event of a step. */
export const lastOf = <S extends RunEvent["step"]>(events: readonly RunEvent[], step: S): Happened<S> | undefined =>
  events.findLast((event): event is Happened<S> => event.step === step);

/** Returns whether the event has the object's state, with the inputs that the last update of it recorded. */
export const hasState = (event: RunEvent): event is Extract<RunEvent, StackObject> =>
  "inputs" in event && "state" in event;

/** Returns whether the event shows that its resource manages a live object. */
export const showsLive = (event: RunEvent): event is Happened<"found" | "diff"> =>
  event.step === "found" || (event.step === "diff" && event.state.deletedAt === undefined);

/** Returns whether the event says what the stack's state contains, if the platform still has it. */
export const showsStackObject = (event: RunEvent): event is Happened<"read" | "found" | "found deleted" | "diff"> =>
  ["read", "found", "found deleted"].includes(event.step) || (event.step === "diff" && event.isDeclared);

/** Returns whether the event keeps its object: deleting it in the same update would be a mistake. */
export const keeps = (event: RunEvent): event is Happened<"created" | "update" | "kept"> =>
  event.step === "created" || event.step === "update" || event.step === "kept";

/**
 * Returns the id of the imported object that the resource manages, after the event.
 *
 * @param before The id before the event.
 */
export function importedAfter(before: string | undefined, event: RunEvent): string | undefined {
  switch (event.step) {
    case "imported":
    case "import deleted":
      return event.id;
    // An earlier update may have imported the object in place of another one, which this update must not delete either.
    case "read":
      return event.state[IMPORTED] === true ? event.id : before;
    case "diff":
      return event.state[IMPORTED] === true ? event.id : event.isDeclared ? undefined : before;
    case "delete":
      return event.isImported ? event.id : before;
    // The object that was created to replace the old one is deleted.
    case "taken over":
      return event.isTakenBack ? undefined : before;
    default:
      return before;
  }
}

/** Returns whether the event says whether its object is being restored. */
export const isOfRestoration = (event: RunEvent): event is Happened<"plan restore" | "restore" | "restore refused"> =>
  ["plan restore", "restore", "restore refused"].includes(event.step);

/** Returns the name that the event gives to its object. */
export const givenName = (event: RunEvent): string | undefined => ("name" in event ? event.name : undefined);

/** Returns whether the event shows that this update or an earlier one has imported the object, with its name. */
export const showsImported = (event: RunEvent): event is Happened<"imported" | "diff"> =>
  event.step === "imported" || (event.step === "diff" && event.state[IMPORTED] === true);

/** Returns the name that the imported object had, if it is known. */
export const importedName = (event: Happened<"imported" | "diff">): string | undefined =>
  event.step === "imported" ? event.importedName : event.state.name;

/** Returns the name of an object, unless its type has none. */
export const nameIn = ({ named }: AnyResource, { name }: Properties): string | undefined =>
  named && typeof name === "string" ? name : undefined;

/** Returns what an event says of an object that the step saw in this state. */
export const seen = (
  { resource, id, state }: { readonly resource: AnyResource; readonly id: string; readonly state: State },
  urn: string,
): Seen => ({ resource, urn, id, title: titleOf(resource, state), container: containerOf(resource, state) });

/** Returns the container in which the event shows an object. */
export function containerIn(event: RunEvent): Container | undefined {
  if ("container" in event) return event.container;
  return showsLive(event) ? containerOf(event.resource, event.state) : undefined;
}

/** Returns the container to which an object belongs. */
export function containerOf({ inside }: AnyResource, state: Properties): Container | undefined {
  const id = inside && state[inside.by];
  if (!inside || typeof id !== "string") return undefined;
  return { type: inside.type, id: inside.canonicalId?.(id) ?? id };
}
