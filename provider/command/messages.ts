import type { Facts, MissingSetting } from "../facts";

export const inputName = ({ file }: Facts<"file">) => (file === "-" ? "standard input" : file);
export const unreadableFile = ({ content, file, reason }: Facts<"content" | "file" | "reason">) =>
  `could not read the ${content} ${file}: ${reason}`;
export const unreadableAuditLog = ({ option, cause }: Facts<"option" | "cause">) =>
  `${option} requires the audit log, which shows when and by whom objects were created and deleted: ${cause}`;
export const invalidState = ({ file }: Facts<"file">) =>
  `${inputName({ file })} is not the state of a stack; export one with \`pulumi stack export --file <file>\``;
const inVariable = (variable: string | undefined) => (variable ? `: set the environment variable ${variable}` : "");
export const missingFromEnvironment = ({ missing }: { readonly missing: readonly MissingSetting[] }) =>
  missing.map(({ name, variable }) => `missing setting \`${name}\`${inVariable(variable)}`).join("\n");
export const SETTINGS_FROM_ENVIRONMENT =
  "Settings, from the environment: DBPLATFORM_BASE_URL, DBPLATFORM_ORGANIZATION, DBPLATFORM_API_TOKEN, and for a\ngroup-scoped token DBPLATFORM_ORGANIZATION_ID.";

// api seed
export const FROM_LIVE = "write a seed file with the objects of an organization";
