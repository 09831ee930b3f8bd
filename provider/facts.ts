import type { KitFacts } from "../kit/facts";

/** The facts that some messages of the provider need, by name: those of the kit, and its own. */
export type Facts<Name extends keyof (KitFacts & ProviderFacts)> = Pick<KitFacts & ProviderFacts, Name>;

/** The facts in messages of the provider that the kit does not have. `npm run messages` has an example of each. */
export interface ProviderFacts {
  /** Whether deleted objects of other types can be listed. */
  readonly canListOthers: boolean;
  /** What a file should contain, for example `state`. */
  readonly contents: string;
  readonly count: number;
  /** Names or DbIds */
  readonly databases: readonly string[];
  /** Path of a file. `-` means standard input. */
  readonly file: string;
  /** Names of functions */
  readonly functions: readonly string[];
  /** Name or UUID of a group. */
  readonly group: string;
  /** Names or UUIDs */
  readonly groups: readonly string[];
  /** Several objects, each by its type and name, for example `Database orders, Database users`. */
  readonly objects: string;
  /** What operations do, for example `create groups`. */
  readonly operations: readonly string[];
  /** Option of a command, for example `--unmanaged`. */
  readonly option: string;
  /** Slug of the organization. */
  readonly organization: string;
  /** UUID of the organization. */
  readonly organizationId: string;
  /** Another argument of the same function. */
  readonly other: string;
  /** Logical name of a provider in the program; `default` for the default provider. */
  readonly providerName: string;
  /** Role of a user in the organization. */
  readonly role: string;
  readonly scopes: readonly string[];
  readonly secondsLeft: number;
  /** RFC 3339 */
  readonly since: string;
  /** The stacks that declare an object, each as `<project>/<stack>`. Absent if the user passed no state files. */
  readonly stacks?: readonly string[] | undefined;
  /** What the program gave. */
  readonly text: string;
}
