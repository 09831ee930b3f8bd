import { message } from "./message";

export const LESS_THAN_A_MINUTE_AGO = "less than a minute ago";

/** Advice for an error that the provider settings in the recorded state may have caused. */
export const RECORDED_SETTINGS =
  "Before the program runs, Pulumi reads with the provider settings that the last update recorded. If they are wrong and the current settings are right, run once: `pulumi up --refresh --run-program`";

export interface MissingSetting {
  readonly name: string;
  readonly isSecret: boolean;
  /** The environment variable that supplies the setting; `undefined` if no variable does. */
  readonly variable: string | undefined;
}

const SPACE: MissingSetting = { name: "space", isSecret: false, variable: "NOTES_SPACE" };
const ENDPOINT: MissingSetting = { name: "endpoint", isSecret: false, variable: "NOTES_ENDPOINT" };
const ACCESS_KEY: MissingSetting = { name: "accessKey", isSecret: true, variable: "NOTES_ACCESS_KEY" };

/**
 * Reports missing settings, and how to set each of them. The command for a secret asks for its value.
 *
 * @param provider Name of the provider, the prefix of its settings.
 * @param isRecorded Whether some of the other settings may be those of the last update.
 * @param advice What else to do, as a complete sentence.
 */
export const missingSettings = message(
  (provider: string, missing: readonly MissingSetting[], isRecorded: boolean, advice?: string) =>
    [
      `The provider lacks ${missing.map(({ name }) => `${provider}:${name}`).join(", ")}. Set ${missing.length === 1 ? "it" : "each"} with the command or in the environment:`,
      ...missing.map(
        ({ name, isSecret, variable }) =>
          `  pulumi config set ${isSecret ? `--secret ${provider}:${name}` : `${provider}:${name} <value>`}${variable ? ` # or ${variable}` : ""}`,
      ),
      ...(isRecorded ? [`${RECORDED_SETTINGS}.`] : []),
      ...(advice === undefined ? [] : [advice]),
    ].join("\n"),
  ["notes", [SPACE, ACCESS_KEY, ENDPOINT], false, "To try the provider, start a server on this machine."],
  ["notes", [SPACE, ACCESS_KEY, ENDPOINT], false],
  ["notes", [ACCESS_KEY], true],
);

export const invalidSetting = message(
  (provider: string, name: string, reason: string) => `${provider}:${name}: ${reason}`,
  ["notes", "endpoint", '"platform" is not a valid http or https address'],
);

export const unknownSetting = message(
  (settings: readonly string[]) => `unknown setting; the settings are ${settings.join(", ")}`,
  [["space", "accessKey", "endpoint"]],
);
