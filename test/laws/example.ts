import type { Properties } from "../../kit/lifecycle/properties";
import type { Declared, Value } from "../fake-engine/declared-program";
import type { Platform } from "./platform";

type Args = Readonly<Record<string, Value>>;

/** An example of a resource type. Together, the examples of a type set all its arguments. */
export interface Example {
  readonly args: Args;
  /** Resources that the program declares before the example, by logical name. The arguments may refer to them. */
  readonly needs?: Readonly<Record<string, Declared>>;
  /**
   * Another value of each property that can change: of each argument, of what follows from an argument, and of each
   * output that is always put back. An argument that `args` does not set is only tried with this value.
   */
  readonly changedArgs: Args;
  /** The arguments whose change cannot be taken back. */
  readonly irreversible?: readonly string[];
  /** Absent if nothing but the provider can see, change or delete the object. */
  readonly outside?: Outside;
}

/** How somebody looks at objects and changes them without Pulumi. Properties have their names in the resource. */
export interface Outside {
  /** Returns what the platform shows, or `undefined` if the object does not exist or is deleted. */
  look(id: string, platform: Platform): Promise<Properties | undefined>;
  /** Returns the ids of all objects of this type that are not deleted. Absent if the platform cannot list them. */
  ids?(platform: Platform): Promise<readonly string[]>;
  /** Changes one property. Absent if no property can change. */
  change?(id: string, change: Properties, platform: Platform): Promise<unknown>;
  /** Absent if the object cannot be deleted alone. */
  delete?(id: string, platform: Platform): Promise<unknown>;
}
