import type { z } from "zod";
import type { AnyResource } from "./definition";
import type { Problem } from "./field";
import type { AnyFunction } from "./function";
import type { Call } from "./lifecycle/call";
import type { RefusalDetails } from "./refusal";

/**
 * A provider, as its author hands it to the kit, which serves it to Pulumi.
 *
 * @typeParam P What the provider offers its resources, for example a client for its platform.
 */
export interface Provider<P = unknown, Settings extends z.ZodObject = z.ZodObject> {
  /** Name of the Pulumi package. Resources have the types `<name>:index:<type>`. */
  readonly name: string;
  readonly version: string;
  readonly about?: About;
  readonly settings: ProviderSettings<Settings>;
  readonly resources: readonly AnyResource[];
  /** Loads the functions, if there are any. Called on first use, because most programs call no function. */
  functions?(): Promise<readonly AnyFunction[]>;
  /**
   * Loads the package schema as JSON. Called on first use, because the engine rarely asks for it. By default, the schema
   * is made from the resources, functions and settings.
   */
  schema?(): Promise<string>;
  /**
   * Connects to the platform. Sends no request.
   *
   * @param settings Complete and valid settings.
   */
  connect(settings: z.output<Settings>, origin: ConnectionOrigin): Connected<P>;
}

/** The settings of a provider, which come from `pulumi config set <provider>:<name>` or from an explicit provider. */
export interface ProviderSettings<Schema extends z.ZodObject = z.ZodObject> {
  readonly schema: Schema;
  /** Describes an explicit provider: what it manages, and with which credential. */
  readonly description: string;
  /** The environment variables that supply settings, by name of the setting. */
  readonly environment?: { readonly [P in keyof z.output<Schema> & string]?: string };
  readonly secrets?: readonly (keyof z.output<Schema> & string)[];
  /** The settings that say to which account the objects belong. By default, all that are not secret. */
  readonly account?: readonly (keyof z.output<Schema> & string)[];
  /** Values that most users set, shown where the setting is missing. They are no defaults. */
  readonly usual?: { readonly [P in keyof z.output<Schema> & string]?: string };
  /** Checks what the schema cannot express. A setting that is not known yet has no value. */
  problems?(values: { readonly [P in keyof z.output<Schema>]?: unknown }): Problem[];
  /** Advice for users who have set none of the required settings of a new stack, as a complete sentence. */
  readonly adviceWithoutAny?: string;
  /** Says which settings Pulumi never records, as a complete sentence without a full stop. */
  readonly unrecorded?: string;
}

/** The facts in a package schema that do not follow from the provider's resources. */
interface About {
  readonly displayName?: string;
  readonly description?: string;
  /** Keywords for Pulumi's registry, including the package's kind and category. */
  readonly keywords?: readonly string[];
  readonly publisher?: string;
  readonly license?: string;
  /** Whether `pulumi new` checks the settings of a new project. Default: false. */
  readonly validateCredentialsOnNew?: boolean;
  /** Address from which Pulumi downloads the plugin. By default, Pulumi's own. */
  readonly downloadUrl?: string | undefined;
  /** Options of the SDK generators, by language. By default, an SDK has the version of the provider. */
  readonly language?: Readonly<Record<string, object>>;
}

/** The origin of a connection's settings. */
export interface ConnectionOrigin {
  /** URN of the provider's resource. Empty or undefined if it is not known. */
  readonly urn: string | undefined;
  /** Whether some of the settings may be those of the last update. */
  readonly isRecorded: boolean;
}

/** A provider that is connected to its platform, with everything that the calls from the engine share. */
export interface Connected<P = unknown> {
  /** Name of the configured account. Checks of properties and the lengths of names may depend on it. Default: "". */
  readonly account?: string;
  /** Whether the engine should read every resource before each preview and update. Default: true. */
  readonly readsBeforeUpdate?: boolean;
  /** A warning about the settings, to be shown once. */
  readonly warning?: string | undefined;
  /** Returns what one call from the engine uses. */
  open(call: Call): Opened<P>;
  /** Ends what `connect` has started, such as open connections. */
  close?(): Promise<void>;
}

/** The part of a connection that one call from the engine uses. */
interface Opened<P> {
  /** Handed to resources and functions, for example a client that stops when the call is cancelled. */
  readonly platform: P;
  /** Absent if objects do not record to which account they belong. */
  readonly home?: Home;
  /**
   * Returns the platform's time in milliseconds since 1970, because the platform decides when an object expires. By
   * default, the time of this machine.
   */
  now?(): Promise<number>;
}

/** The account that owns all objects of a provider. */
export interface Home {
  /** Name of the output that contains the id of the owning account. All resources have this output. */
  readonly output: string;
  /** Returns the id of the configured account, which is requested only once. */
  id(): Promise<string>;
  /** Explains that another account owns an object. */
  other(owner: string, configured: string): RefusalDetails;
  /** Explains that the platform has certainly lost the account. Returns `undefined` if that is not certain. */
  lost(owner: string): Promise<RefusalDetails | undefined>;
}
