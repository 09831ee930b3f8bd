import * as pulumi from "@pulumi/pulumi";

// The package contains this file without the rest of the kit, so it imports `@pulumi/pulumi` alone and declares the
// host's type itself. It is given the host's module, which a package manager with strict folders does not find from here.

type Values = Readonly<Record<string, unknown>>;

/** The exports of the module that serves a provider's resources and functions in the program's process. */
export interface DynamicHost {
  /** Dynamic providers, by resource type. */
  readonly providers: Readonly<Record<string, pulumi.dynamic.ResourceProvider>>;
  /**
   * Functions that test whether an argument's value is secret, by resource type and argument name. The SDK classes call
   * them in the program's process, because a dynamic provider's Check cannot mark values as secret.
   */
  readonly secretArguments: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>>;
  /**
   * The provider's functions by name. A function runs in the process of the Pulumi program. `settings` holds provider
   * settings, which take precedence over environment variables.
   */
  readonly functions: Readonly<Record<string, (args: Values, settings: Values) => Promise<Values>>>;
  /** Returns digests of the settings that environment variables of this process supply, except secret ones, by name. */
  environment(): Readonly<Record<string, string>>;
  /** Returns whether the message alone explains an error to the user. Any other error is a bug. */
  isExpected(thrown: unknown): thrown is Error;
}

/** The npm package that contains an SDK for dynamic providers. */
export interface DynamicPackage {
  /** Name of the Pulumi package. Resources have the types `pulumi-nodejs:dynamic/<name>:<type>`. */
  readonly name: string;
  /** Name of the module that exports the host, as every program can require it. */
  readonly hostModule: string;
  /** Loads that module. Called on first use, because it contains the provider's code. */
  host(): DynamicHost;
  /** The package schema. */
  readonly schema: {
    readonly config: { readonly variables: Readonly<Record<string, unknown>> };
    readonly resources: Readonly<
      Record<string, { readonly properties: Readonly<Record<string, { readonly secret?: boolean }>> }>
    >;
  };
}

export const providerOfComponent = (name: string): string =>
  `Provider "${name}" is a dynamic provider, which Pulumi can give neither to a component nor to a resource of the plugin. Give it to each dynamic resource in the component: { provider, parent: this }.`;

export const hostNotFound = (packageName: string): string =>
  `Cannot find ${packageName} from the folder of the program, where Pulumi loads dynamic providers. Add it to the dependencies of the program itself, even if only a package that the program uses needs it, for example: npm install ${packageName} (or pnpm add ${packageName})`;

/** An explicit provider with settings of its own. */
export class ExplicitProvider<Settings extends object> {
  constructor(
    readonly name: string,
    readonly settings: Settings,
  ) {}

  /**
   * Called by Pulumi for a provider that was given to a component or to a resource of a plugin.
   *
   * @throws RunError that says what to do instead.
   */
  getPackage(): never {
    throw new pulumi.RunError(providerOfComponent(this.name));
  }
}

/** The resource options of the plugin's classes, except that `provider` is an explicit provider of the SDK. */
export type DynamicOptions<Provider> = Omit<pulumi.CustomResourceOptions, "provider"> & { provider?: Provider };

/**
 * A resource class with the same interface as the plugin's class. Pulumi's dynamic provider process manages the
 * resources, so that no plugin has to be installed.
 */
export type DynamicClass<Resource, Args, Provider> = new (
  name: string,
  args: Args,
  options?: DynamicOptions<Provider>,
) => Resource & pulumi.CustomResource;

/**
 * Returns a function that makes resource classes with the names, arguments and outputs of the plugin's classes. The
 * option `import` imports an object, and restores the object if it is deleted.
 */
export const dynamicClasses =
  <Provider extends ExplicitProvider<object>>({ name: provider, hostModule, host, schema }: DynamicPackage) =>
  <Resource, Args extends object>(type: string): DynamicClass<Resource, Args, Provider> => {
    const properties = schema.resources[`${provider}:index:${type}`]?.properties ?? {};
    const outputs = Object.fromEntries(Object.keys(properties).map((property) => [property, undefined]));
    const secret = Object.keys(properties).filter((property) => properties[property]?.secret);
    // The state contains only a reference to the provider, because serialized provider code would become outdated.
    const reference = sdkHandlerText(hostModule, type);

    class Dynamic extends pulumi.CustomResource {
      constructor(
        name: string,
        args: Args,
        { import: id, provider: given, ...options }: DynamicOptions<Provider> = {},
      ) {
        const { parent } = options;
        const hidden = {
          __provider: reference,
          __logicalName: name,
          // A new output without dependencies, because depending on a parent means depending on all its children.
          ...(parent && { __parent: pulumi.output(sdkOutputInternals(parent.urn).promise()) }),
          ...(id === undefined ? {} : { __import: id }),
          ...(given === undefined
            ? { __environment: host().environment() }
            : { __settings: pulumi.secret(given.settings) }),
        };
        const additionalSecretOutputs = [...secret, "__inputs", "__settings"];
        const merged = pulumi.mergeOptions({ additionalSecretOutputs }, options);
        const guarded = sdkSecretArguments(host().secretArguments[type], args);
        super(
          `pulumi-nodejs:dynamic/${provider}:${type}`,
          name,
          { ...outputs, ...args, ...guarded, ...hidden },
          merged,
        );
      }
    }
    return Dynamic as unknown as DynamicClass<Resource, Args, Provider>;
  };

/** Returns the code that loads a dynamic provider. It prints no stack trace if the program's folder lacks the package. */
function sdkHandlerText(hostModule: string, type: string): string {
  const text = JSON.stringify(hostNotFound(hostModule.slice(0, hostModule.lastIndexOf("/"))));
  const missing = JSON.stringify(`Cannot find module '${hostModule}'`);
  // In one line, because Pulumi's verbose log then shows it in one line, with everything else of its message.
  const rethrow = `if (!String(thrown.message).startsWith(${missing})) throw thrown;`;
  const explain = `throw Object.assign(new Error(${text}), { stack: ${text}, toString: () => "error" });`;
  return `exports.handler = () => { try { return require("${hostModule}").providers.${type}; } catch (thrown) { ${rethrow} ${explain} } };`;
}

/** Returns only the arguments that may contain secrets. Each is marked as secret if its value contains a secret. */
function sdkSecretArguments(tests: DynamicHost["secretArguments"][string] = {}, args: object): object {
  return Object.fromEntries(
    Object.entries<object>({ ...args })
      .filter(([name]) => name in tests)
      .map(([name, given]) => [name, pulumi.output(given).apply((value) => sdkOutputOf(tests[name], value))]),
  );
}

const sdkOutputOf = (isSecret: ((value: unknown) => boolean) | undefined, value: object) =>
  isSecret?.(value) ? pulumi.secret(value) : pulumi.output(value);

export interface DynamicFunctionOptions<Provider> {
  readonly provider?: Provider;
}

/** Members of Pulumi's outputs that are missing from Pulumi's type declarations. */
interface OutputInternals<T> {
  /** Callers check this before `promise`, because in a preview the promise for an unknown value never resolves. */
  readonly isKnown: Promise<boolean>;
  promise(): Promise<T>;
  allResources(): Promise<ReadonlySet<pulumi.Resource>>;
}

const sdkOutputInternals = <T>(output: pulumi.Output<T>): OutputInternals<T> => output as unknown as OutputInternals<T>;

/**
 * Returns an output that resolves once all resources that the arguments depend on have been created. Dynamic functions
 * wait for them, as the plugin's functions do.
 */
function sdkDependenciesOf(args: pulumi.Output<object>): pulumi.Output<unknown> {
  const ids = sdkOutputInternals(args)
    .allResources()
    .then((all) => [...all].filter(pulumi.CustomResource.isInstance).map(({ id }) => id));
  return pulumi.output(ids);
}

/** Returns functions that make the functions of an SDK, by name. */
export function dynamicFunctions<Provider extends ExplicitProvider<object>>({
  name: provider,
  host,
  schema,
}: DynamicPackage) {
  type Options = DynamicFunctionOptions<Provider>;

  /** Calls a function in the program's own process. The provider's code is loaded on the first call. */
  async function ask<Result>(name: string, args: object, settings: object): Promise<Result> {
    const { functions, isExpected } = host();
    try {
      return (await functions[name]?.({ ...args }, { ...settings })) as Result;
    } catch (thrown) {
      // Converts the error to a RunError, so that Pulumi shows the message without a stack trace.
      throw isExpected(thrown) ? new pulumi.RunError(thrown.message) : thrown;
    }
  }

  /**
   * Returns the settings of the explicit provider, or the stack's settings if none is given. The settings are not marked
   * as secret, because secret settings would make the function's result secret too.
   */
  function settingsOf({ provider: given }: Options): pulumi.Output<object> {
    if (given) return pulumi.unsecret(pulumi.output(given.settings));
    const ofTheStack = new pulumi.Config(provider);
    const names = Object.keys(schema.config.variables);
    return pulumi.output(Object.fromEntries(names.map((name) => [name, ofTheStack.get(name)])));
  }

  /** Returns a function that sends its request immediately and returns a promise. */
  const functionOf =
    <Args extends object, Result>(name: string) =>
    async (args?: Args, options: Options = {}): Promise<Result> => {
      const settings = sdkOutputInternals(settingsOf(options));
      if (await settings.isKnown) return ask(name, args ?? {}, await settings.promise());
      throw new pulumi.RunError(
        `The settings of provider "${options.provider?.name}" are not known yet: use ${name}Output.`,
      );
    };

  /** Returns a function that sends its request once its arguments are known and their dependencies have been created. */
  const outputFunctionOf =
    <Args extends object, Result>(name: string) =>
    (args?: Args, options: Options = {}): pulumi.Output<Result> => {
      const given = pulumi.output<object>(args ?? {});
      return pulumi
        .all([given, settingsOf(options), sdkDependenciesOf(given)])
        .apply(([known, settings]) => ask<Result>(name, known, settings));
    };

  return {
    functionOf,
    outputFunctionOf,
    functionWithoutArguments: <Result>(name: string) => {
      const asked = functionOf<object, Result>(name);
      return (options?: Options): Promise<Result> => asked({}, options);
    },
    outputFunctionWithoutArguments: <Result>(name: string) => {
      const asked = outputFunctionOf<object, Result>(name);
      return (options?: Options): pulumi.Output<Result> => asked({}, options);
    },
  };
}
