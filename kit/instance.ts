import type { Call } from "./lifecycle/call";
import type { Context } from "./lifecycle/context";
import type { Properties } from "./lifecycle/properties";
import { type SharedObjects, UpdateSession } from "./lifecycle/session";
import type { Connected, ConnectionOrigin, Provider } from "./provider";
import type { ResourceContext } from "./resource/context";
import { resolveSettings, type SettingsOrigin } from "./settings";

interface Origin extends SettingsOrigin, ConnectionOrigin {
  readonly managedAgain: SharedObjects | undefined;
}

/** A configured provider, and what it knows of the current preview or update. */
export class Instance {
  readonly session: UpdateSession;
  readonly #connected: Connected;
  readonly #provider: Context["provider"];

  /** @throws MissingSettings if a required setting is missing; WrongSettings if a setting is invalid. */
  constructor(
    provider: Provider,
    given: Properties,
    environment: NodeJS.ProcessEnv,
    { urn, isRecorded, isNew, managedAgain }: Partial<Origin> = {},
  ) {
    const settings = resolveSettings(provider, given, environment, { isRecorded, isNew });
    const mayBeRecorded = isRecorded ?? true;
    this.session = new UpdateSession(managedAgain);
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

  context(call: Call): Context {
    const { platform, home, now } = this.#connected.open(call);
    const { session } = this;
    const { urn, log } = call;
    const own = {
      names: session.names,
      inStack: (type: string, id: string) => session.isInStack(type, id),
      leavesStack: (type: string, id: string) => session.leavesStack(type, id),
      planned: (type: string, name: string) => session.planned(type, name),
      restores: (type: string, id: string) => session.hasRestored(type, id),
      once: <T>(what: string, load: () => Promise<T>) => session.once(what, load),
      urn,
      warn: (message: string) => log?.("warning", message),
      inform: (message: string) => log?.("info", message),
    };
    return {
      session,
      account: this.account,
      home,
      now,
      provider: this.#provider,
      platform: Object.assign(platform, own) as object as ResourceContext,
    };
  }

  close(): Promise<void> {
    return this.#connected.close();
  }
}
