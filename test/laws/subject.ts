import type { Properties } from "../../kit/lifecycle/properties";
import type { Provider } from "../../kit/provider";
import type { Declared, Value } from "../fake-engine/declared-program";
import type { Engine } from "../fake-engine/engine";

/** A provider, and what the laws must know of it and of its platform. */
export interface Subject<P extends Platform> {
  readonly provider: Provider;
  /** Starts a platform on this machine that holds nothing that the examples create. */
  start(): Promise<P>;
  /** Returns the provider's settings with which it sends its requests to the given address. */
  settings(url: string, platform: P): Properties;
  /** Examples of each resource type. Together, the examples of a type set all its arguments. */
  readonly examples: Readonly<Record<string, readonly Example<P>[]>>;
  /** Opens a stack on another engine than the fake one. Only the laws that need no access to the process then apply. */
  engine?(url: string, platform: P): Promise<Engine>;
}

export interface Platform {
  readonly url: string;
  /** Values that no message and no state may contain, such as the credential. */
  readonly secrets: readonly string[];
  stop(): Promise<void>;
}

type Args = Readonly<Record<string, Value>>;

export interface Example<P> {
  readonly args: Args;
  /** Resources that the program declares before the example, by logical name. The arguments may refer to them. */
  readonly needs?: Readonly<Record<string, Declared>>;
  /**
   * Another value of each property that can change: of each argument, and of each output that is always put back. An
   * argument that `args` does not set is only tried with this value.
   */
  readonly other: Args;
  /** Absent if nothing but the provider can see, change or delete the object. */
  readonly outside?: Outside<P>;
}

/** How somebody looks at objects and changes them without Pulumi. */
export interface Outside<P> {
  /**
   * Returns the properties that the platform shows, by their names in the resource, or `undefined` if the object does
   * not exist or is deleted.
   */
  look(id: string, platform: P): Promise<Properties | undefined>;
  /** Returns the ids of all objects of this type that are not deleted. Absent if the platform cannot list them. */
  ids?(platform: P): Promise<readonly string[]>;
  /** Changes one property. Absent if no property can change. */
  change?(id: string, change: Properties, platform: P): Promise<unknown>;
  /** Absent if the object cannot be deleted alone. */
  delete?(id: string, platform: P): Promise<unknown>;
}
