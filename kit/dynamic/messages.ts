import { message } from "../message";

/**
 * Reports that `import` names a different object than the one that the resource manages. Contains no advice, because
 * the caller adds advice on how to import the other object.
 */
export const importOfOther = message(
  (id: string, imported: unknown) => ({
    answer: `this resource already manages ${id}, but \`import\` is set to ${imported}`,
  }),
  ["71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b", "0a28102d-6906-11ee-8553-eaa7715aeaf2"],
);

export const replacementDuringImport = message(
  (properties: readonly string[], imported: unknown) => ({
    answer: `changing ${properties.join(", ")} replaces this resource, but \`import\` is still set to ${imported}`,
    advice: "Remove `import` before you make this change",
  }),
  [["location"], "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b"],
);

/**
 * Reports that a changed secret would replace a resource.
 *
 * @param title Type and name of the resource.
 */
export const replacementUnseen = message(
  (title: string, property: string) => ({
    answer: `another \`${property}\` would replace ${title} without its data, and a dynamic provider cannot warn of that in a preview`,
    advice: `To keep the data, undo the change. To begin without the data, declare another resource with another \`name\` and the new \`${property}\``,
  }),
  ['database "orders"', "encryption"],
);

/**
 * Reports that settings would stay in force that no resource names.
 *
 * @param left Complete sentences about the settings, and what to write.
 */
export const settingsUnseen = message(
  (left: readonly string[]) =>
    `${left.join(" ")} Name the settings first, because a dynamic provider cannot warn of them in a preview`,
  [
    [
      "Settings that `b` does not name stay in force on database 71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b: `blockWrites: true` (set by `a`). If `a` no longer manages it, write in `b`: `blockWrites: false` to lift them, or `blockWrites: true` to keep them.",
    ],
  ],
);

export const invalidArguments = message(
  (functionName: string, problems: readonly string[]) => `${functionName}: ${problems.join("; ")}`,
  ["getDatabase", ['dbId: "orders" is not a UUID']],
);
