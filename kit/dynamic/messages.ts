import type { Facts } from "../facts";

export const importOfOther = ({ id, imported }: Facts<"id" | "imported">) =>
  `this resource already manages ${id}, but \`import\` is set to ${imported}`;
export const replacementDuringImport = ({
  properties,
  imported,
}: Facts<"imported"> & { readonly properties: readonly string[] }) => ({
  answer: `changing ${properties.join(", ")} replaces this resource, but \`import\` is still set to ${imported}`,
  advice: "Remove `import` before you make this change",
});
export const replacementUnseen = ({ title, property }: Facts<"title" | "property">) => ({
  answer: `another \`${property}\` would replace ${title} without its data, and a dynamic provider cannot warn of that in a preview`,
  advice: `To keep the data, undo the change. To begin without the data, declare another resource with another \`name\` and the new \`${property}\``,
});
export const settingsUnseen = ({ left }: { readonly left: readonly string[] }) =>
  `${left.join(" ")} Name the settings first, because a dynamic provider cannot warn of them in a preview`;
export const invalidArguments = ({
  functionName,
  reasons,
}: Facts<"functionName"> & { readonly reasons: readonly string[] }) => `${functionName}: ${reasons.join("; ")}`;

export const SETTINGS_OF_RESOURCE =
  "Pulumi reads and deletes this resource with the settings of its `Provider` that the last update recorded in the resource. If they are outdated, run `pulumi up` once, without `--refresh`, while the program declares the resource with the current settings; first declare it again if you have removed it";

/** The values are left out, because an address may contain a password. */
export const environmentsDiffer = ({ provider, name, variable }: Facts<"provider" | "name" | "variable">) => ({
  answer: `${variable} is not the same in the program's process and in the process that manages the resources, so functions might answer for another account than that of the resources`,
  advice: `Run \`pulumi config set ${provider}:${name} <value>\`, which holds for both. With the Automation API, the workspace's \`envVars\` reach only the resources; variables in \`process.env\` reach both`,
});
export const STILL_TO_BE_DELETED =
  "Until then the state marks it for deletion: a `pulumi up` of a program that no longer asks for it deletes it";
