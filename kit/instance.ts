import { isDeepStrictEqual } from "node:util";
import type { Call } from "./lifecycle/call";
import type { Context } from "./lifecycle/context";
import type { Properties } from "./lifecycle/properties";
import type { Connected, ConnectionOrigin, Provider } from "./provider";
import { Run, type SharedObjects } from "./run";
import { environmentSettings, presentSettings, resolveSettings, type SettingsOrigin } from "./settings";

interface Origin extends SettingsOrigin, ConnectionOrigin {
  readonly takeovers: SharedObjects | undefined;
  readonly announced: SharedObjects | undefined;
  /** The run of another instance for the same account. */
  readonly other: Run | undefined;
}

/** A configured provider, and what it knows of the current preview or update. */
export class Instance<P = unknown> {
  readonly run: Run;
  readonly #connected: Connected<P>;
  readonly #provider: Context["provider"];

  /** @throws MissingSettings if a required setting is missing; WrongSettings if a setting is invalid. */
  constructor(
    provider: Provider<P>,
    given: Properties,
    environment: NodeJS.ProcessEnv,
    { urn, isRecorded, isNew, takeovers, announced, other }: Partial<Origin> = {},
  ) {
    const settings = resolveSettings(provider, given, environment, { isRecorded, isNew });
    const mayBeRecorded = isRecorded ?? true;
    this.run = new Run(takeovers, announced, other);
    this.#connected = provider.connect(settings, { urn, isRecorded: mayBeRecorded });
    this.#provider = { isRecorded: mayBeRecorded, unrecorded: provider.settings.unrecorded };
  }

  /** Name of the configured account. */
  get account(): string {
    return this.#connected.account ?? "";
  }

  /** Whether the engine should read every resource before each preview and update. */
  get readsBeforeUpdate(): boolean {
    return this.#connected.readsBeforeUpdate ?? true;
  }

  /** A warning about the settings, to be shown once. */
  get warning(): string | undefined {
    return this.#connected.warning;
  }

  context(call: Call): Context<P> {
    const { platform, home, now = async () => Date.now() } = this.#connected.open(call);
    const { urn, log, signal, deadline } = call;
    return {
      run: this.run,
      account: this.account,
      home,
      platformTime: now,
      ends: deadline ? [signal, deadline] : [signal],
      provider: this.#provider,
      platform: {
        platform,
        run: this.run,
        urn,
        warn: (message) => log?.("warning", message),
        inform: (message) => log?.("info", message),
        showStatus: (message) => log?.("status", message),
      },
    };
  }

  async close(): Promise<void> {
    await this.#connected.close?.();
  }
}

/** The configured instances of a provider. A program can change the settings, so it may need several. */
export class Instances {
  /** Old objects that resources take over in this run, with whichever settings: at most two entries for each. */
  readonly #takeovers = new Set<string>();
  /** One entry for each explicit provider of the program, and one for the settings of the stack. */
  readonly #instances = new Map<string, Instance>();
  /** The first run: one entry for each account. */
  readonly #runs = new Map<string, Run>();
  /** The latest settings that the program gives to explicit providers in this run: one entry for each account. */
  readonly #given = new Map<string, Properties>();

  constructor(readonly provider: Provider) {}

  /**
   * Returns the instance for these settings and the current environment.
   *
   * @param isRecorded Whether some of the settings may be those of the last update, if it is known.
   */
  of(settings: Properties, isRecorded?: boolean): Instance {
    const environment = environmentSettings(this.provider.settings, process.env);
    const key = JSON.stringify([settings, environment, isRecorded]);
    const known = this.#instances.get(key);
    if (known) return known;
    const account = this.#accountIn(settings);
    const origin = { takeovers: this.#takeovers, other: this.#runs.get(account) };
    const instance = new Instance(this.provider, settings, process.env, {
      ...origin,
      ...(isRecorded === undefined ? {} : { isRecorded }),
    });
    this.#instances.set(key, instance);
    if (!this.#runs.has(account)) this.#runs.set(account, instance.run);
    return instance;
  }

  recordGiven(settings: Properties): void {
    this.#given.set(this.#accountIn(settings), settings);
  }

  /** Returns the settings that the program gives in this run for the account of recorded settings, if they differ. */
  givenInstead(recorded: Properties): Properties | undefined {
    const given = this.#given.get(this.#accountIn(recorded));
    return isDeepStrictEqual(given, recorded) ? undefined : given;
  }

  /** Returns what identifies the account. The other settings can change while the objects stay the same. */
  #accountIn(given: Properties): string {
    const { settings } = this.provider;
    const secrets: readonly string[] = settings.secrets ?? [];
    const names = settings.account ?? Object.keys(settings.schema.shape).filter((name) => !secrets.includes(name));
    const all: Properties = { ...environmentSettings(settings, process.env), ...presentSettings(given) };
    return JSON.stringify(names.map((name) => all[name]));
  }
}
