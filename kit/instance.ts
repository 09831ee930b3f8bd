import type { Call } from "./lifecycle/call";
import type { Context } from "./lifecycle/context";
import type { Properties } from "./lifecycle/properties";
import { type SharedObjects, UpdateSession } from "./lifecycle/session";
import type { Connected, ConnectionOrigin, Provider } from "./provider";
import type { RunView } from "./resource/context";
import { resolveSettings, type SettingsOrigin } from "./settings";

interface Origin extends SettingsOrigin, ConnectionOrigin {
  readonly managedAgain: SharedObjects | undefined;
}

/** A configured provider, and what it knows of the current preview or update. */
export class Instance<P = unknown> {
  readonly session: UpdateSession;
  readonly #run: RunView;
  readonly #connected: Connected<P>;
  readonly #provider: Context["provider"];

  /** @throws MissingSettings if a required setting is missing; WrongSettings if a setting is invalid. */
  constructor(
    provider: Provider<P>,
    given: Properties,
    environment: NodeJS.ProcessEnv,
    { urn, isRecorded, isNew, managedAgain }: Partial<Origin> = {},
  ) {
    const settings = resolveSettings(provider, given, environment, { isRecorded, isNew });
    const mayBeRecorded = isRecorded ?? true;
    const session = new UpdateSession(managedAgain);
    this.session = session;
    this.#run = {
      names: session.names,
      inStack: (type, id) => session.isInStack(type, id),
      leavesStack: (type, id) => session.leavesStack(type, id),
      planned: (type, name) => session.planned(type, name),
      restores: (type, id) => session.hasRestored(type, id),
      once: (what, load) => session.once(what, load),
    };
    this.#connected = provider.connect(settings, { urn, isRecorded: mayBeRecorded });
    this.#provider = { isRecorded: mayBeRecorded, unrecorded: provider.settings.unrecorded };
  }

  /** Name of the configured account. */
  get account(): string {
    return this.#connected.account;
  }

  /** Whether the engine should read every resource before each preview and update. */
  get readsBeforeUpdate(): boolean {
    return this.#connected.readsBeforeUpdate;
  }

  /** A warning about the settings, to be shown once. */
  get warning(): string | undefined {
    return this.#connected.warning;
  }

  context(call: Call): Context<P> {
    const { platform, home, now } = this.#connected.open(call);
    const { urn, log } = call;
    return {
      session: this.session,
      account: this.account,
      home,
      now,
      provider: this.#provider,
      platform: {
        platform,
        run: this.#run,
        urn,
        warn: (message) => log?.("warning", message),
        inform: (message) => log?.("info", message),
      },
    };
  }

  close(): Promise<void> {
    return this.#connected.close();
  }
}
