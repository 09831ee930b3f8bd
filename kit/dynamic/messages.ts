import type { Facts } from "../facts";

export const importOfOther = ({ id, imported }: Facts<"id" | "imported">) =>
  `this resource already manages ${id}, but \`import\` is set to ${imported}`;
export const replacementDuringImport = ({ properties, imported }: Facts<"properties" | "imported">) => ({
  answer: `changing ${properties.join(", ")} replaces this resource, but \`import\` is still set to ${imported}`,
  advice: "Remove `import` before you make this change",
});
export const replacementUnseen = ({ title, property }: Facts<"title" | "property">) => ({
  answer: `another \`${property}\` would replace ${title} without its data, and a dynamic provider cannot warn of that in a preview`,
  advice: `To keep the data, undo the change. To begin without the data, declare another resource with another \`name\` and the new \`${property}\``,
});
export const settingsUnseen = ({ left }: Facts<"left">) =>
  `${left.join(" ")} Name the settings first, because a dynamic provider cannot warn of them in a preview`;
export const invalidArguments = ({ functionName, reasons }: Facts<"functionName" | "reasons">) =>
  `${functionName}: ${reasons.join("; ")}`;
