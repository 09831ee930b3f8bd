import type { Facts, MissingSetting } from "./facts";

export const LESS_THAN_A_MINUTE_AGO = "less than a minute ago";
export const RECORDED_SETTINGS =
  "Before the program runs, Pulumi reads with the provider settings that the last update recorded. If they are wrong and the current settings are correct, run once: `pulumi up --refresh --run-program`";

/** The command for a secret setting asks for its value. */
export const missingSettings = (
  facts: Facts<"provider" | "isRecorded", "advice"> & { readonly missing: readonly MissingSetting[] },
) => {
  const { provider, missing, isRecorded, advice } = facts;
  return [
    `The provider lacks ${missing.map(({ name }) => `${provider}:${name}`).join(", ")}. Set ${missing.length === 1 ? "it" : "each"} with the command or in the environment:`,
    ...missing.map(
      ({ name, isSecret, variable, usual = "<value>" }) =>
        `  pulumi config set ${isSecret ? `--secret ${provider}:${name}` : `${provider}:${name} ${usual}`}${variable ? ` # or ${variable}` : ""}`,
    ),
    ...(isRecorded ? [`${RECORDED_SETTINGS}.`] : []),
    ...(advice === undefined ? [] : [advice]),
  ].join("\n");
};

export const invalidSetting = ({ provider, name, reason }: Facts<"provider" | "name" | "reason">) =>
  `${provider}:${name}: ${reason}`;
export const unknownSetting = ({ settings }: { readonly settings: readonly string[] }) =>
  `unknown setting; the settings are ${settings.join(", ")}`;
export const nameInUseBy = ({ kind, name, id }: Facts<"kind" | "name" | "id">) =>
  `${kind} name "${name}" is already in use by ${id}`;
export const newNameInUse = ({ kind, name, id }: Facts<"kind" | "name" | "id">) => ({
  answer: nameInUseBy({ kind, name, id }),
  advice: `Choose another \`name\`, or rename that ${kind} first`,
});
